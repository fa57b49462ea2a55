// Text -> the terms it is found by; the twin of generator/tokens.py, held to it by tests/conformance/terms.json.

const LONGEST = 40;
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;
const WHOLE = /[A-Za-z0-9_]+(?:(?:::|[./-])[A-Za-z0-9_]+)*/g;
const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const HEX = /^0x[0-9A-Fa-f]+$/;
const LETTERS = /^[A-Za-z]+$/;
const DIGITS = /^[0-9]+$/;
const ENDINGS = [["ies", "y"], ["ied", "y"], ["sses", "ss"], ["ing", ""], ["ed", ""], ["s", ""]];
const SAME = new Map(
  [
    ["hang", "stuck hung freez froz frozen froze deadlock stall"],
    ["fall", "fell fallen"],
    ["die", "died dying dead dies"],
    ["grow", "grew grown grow increas ris rise climb"],
    ["los", "lost losing lose"],
    ["disappear", "disappear vanish"],
    ["break", "brok broken"],
    ["corrupt", "damag corrupt"],
    ["run", "ran"],
    ["memory", "vram"],
  ].flatMap(([one, others]) => others.split(" ").map((other) => [other, one])),
);
const STOP = new Set(
  ("a an and are as at be but by can do does for from has have how i if in is it its my no not of on or so that the " +
    "then there this to was what when which while why will with you your during does kib mib gib tib").split(" "),
);

// Return the terms of a text, each once, in order of appearance.
export function termsOf(text) {
  const found = new Set();
  for (const [whole] of text.normalize("NFKC").replace(ANSI, "").matchAll(WHOLE)) {
    const parts = whole.match(/[A-Za-z0-9]+/g) ?? [];
    if (parts.length > 1 && whole.length <= LONGEST && /[A-Za-z]/.test(whole)) found.add(whole.toLowerCase());
    if (parts.length > 1 && parts.every((part) => DIGITS.test(part))) continue;
    if (parts.length === 2 && parts.every((part) => LETTERS.test(part)) && whole.length < 18) {
      found.add(stem(parts.join("").toLowerCase())); // all_reduce is also written allreduce
    }
    for (const part of parts) {
      if (HEX.test(part)) continue;
      const pieces = (part.match(PIECE) ?? []).filter((piece) => piece.length > 2 || DIGITS.test(piece));
      for (const piece of [part, ...pieces]) {
        const term = termOf(piece);
        if (term !== null) found.add(term);
      }
    }
  }
  return [...found];
}

// Return one term for a whole short text whatever the order of its words: `=cuda|oom`.
export function phraseOf(text) {
  return "=" + termsOf(text).sort(byCode).join("|");
}

// Compare as Python does for ASCII text.
export function byCode(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function termOf(piece) {
  const lower = piece.toLowerCase();
  if (DIGITS.test(lower)) return lower.length <= 4 ? lower : null;
  if (STOP.has(lower) || lower.length < 2 || lower.length > LONGEST) return null;
  return stem(lower);
}

function stem(word) {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return SAME.get(word) ?? word;
  for (const [ending, rest] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length + rest.length < 3) continue;
    if (ending === "s" && "siu".includes(word.at(-2))) break;
    word = undouble(word.slice(0, word.length - ending.length) + rest);
    break;
  }
  word = word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
  return SAME.get(word) ?? word;
}

function undouble(word) {
  const last = word.at(-1);
  return word.length > 3 && last === word.at(-2) && !"aeiouls".includes(last) ? word.slice(0, -1) : word;
}
