// A diagnosis <-> the part of an address behind `#`: permanent ids and ranks, nothing of the log.

const FORM = /^#ids=((?:MLFE-\d{4}-\d{1,3},?)*)&ranks=((?:\d{1,6},?)*)$/;
const MOST_RANKS = 64;

// Return the hash that names a diagnosis; empty when it names no entry and no rank.
export function hashOf({ what, who }) {
  const ids = what.entries.map((entry) => entry.signature).filter((id) => /^MLFE-\d{4}-\d{1,3}$/.test(id));
  const ranks = who.ranks.slice(0, MOST_RANKS);
  return ids.length || ranks.length ? `#ids=${ids.join(",")}&ranks=${ranks.join(",")}` : "";
}

// Read such a hash: {ids, ranks}, or null when it is another.
export function readHash(hash) {
  const found = FORM.exec(hash);
  if (found === null) return null;
  const [ids, ranks] = [found[1], found[2]].map((part) => part.split(",").filter(Boolean));
  return ids.length || ranks.length ? { ids, ranks: ranks.map(Number) } : null;
}
