// A line of a log and the signatures of a few entries -> whether one of those recognises it. Reads generator/search.py's files.

const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
const SHORTEST = 12;

// Whether a text is long enough for a line that a signature recognises.
export function mayBeALine(text) {
  return text.length >= SHORTEST;
}

// Return the most telling of an entry's signatures that recognises a line, {id, rank, line}; null when none does.
// signatures: [[id, rank, when, [[gate, pattern, names of groups], ...]], ...], a lower rank telling more.
export function recognise(signatures, lines) {
  let best = null;
  for (const [id, rank, when, wordings] of signatures) {
    if (best !== null && best.rank <= rank) continue;
    const line = lines.find((text) => wordings.some((wording) => fits(wording, when, plainLine(text))));
    if (line !== undefined) best = { id, rank, line };
  }
  return best;
}

function fits([gate, pattern, names], when, line) {
  if (!gate.some((text) => line.includes(text))) return false;
  const found = new RegExp(pattern, "u").exec(line);
  if (found === null) return false;
  return Object.entries(when ?? {}).every(([name, accepted]) => accepts(accepted, found[names.indexOf(name) + 1]));
}

function accepts(accepted, text) {
  if (text === undefined) return false;
  if (Array.isArray(accepted)) return accepted.some((one) => String(one) === text);
  return (accepted.min ?? -Infinity) <= Number(text) && Number(text) <= (accepted.max ?? Infinity);
}

function plainLine(text) {
  return text.replace(COLOURS, "").replace(/\s+/g, " ");
}
