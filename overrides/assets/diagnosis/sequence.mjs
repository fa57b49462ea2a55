// What watchdogs say of one process group -> the rank that is behind the operation in which the others waited.
// Twin: generator/diagnosis/sequence.py.

const GROUP = /\[PG ([^\]\n]{1,80}) Rank [0-9]/;

// Return the line of the one rank whose last queued operation is before all those in which others gave up, or null.
// Numbers count within a process group, so a line that names none says nothing.
export function behind(events) {
  const groups = new Map();
  for (const event of events) {
    const group = GROUP.exec(event.line.text)?.[1];
    if (group === undefined || event.rank === null || !event.captures.has("enqueued") || !event.captures.has("seq")) continue;
    if (!groups.has(group)) groups.set(group, new Map());
    if (!groups.get(group).has(event.rank)) groups.get(group).set(event.rank, event);
  }
  const late = new Map();
  for (const told of groups.values()) {
    for (const [rank, event] of told) {
      const others = [...told].filter(([one]) => one !== rank).map(([, other]) => other.captures.get("seq"));
      const isLate = others.length > 0 && others.every((number) => isBefore(event.captures.get("enqueued"), number));
      if (isLate && !late.has(rank)) late.set(rank, event);
    }
  }
  return late.size === 1 ? [...late.values()][0] : null;
}

function isBefore(number, other) {
  return typeof number === "bigint" && typeof other === "bigint" && number < other;
}
