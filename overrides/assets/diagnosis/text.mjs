// Texts as the twin in Python counts and orders them: by code points. Knows nothing of logs.

// Return the first characters of a text.
export function clip(text, most) {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++) end += text.codePointAt(end) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

// Return how many characters a text has.
export function lengthOf(text) {
  let pairs = 0;
  for (let i = 1; i < text.length; i++) if (isLowSurrogate(text.charCodeAt(i))) pairs++;
  return text.length - pairs;
}

// Whether a text has fewer characters than that.
export function isShorter(text, than) {
  return text.length < than || (text.length < 2 * than && lengthOf(text) < than);
}

// Compare two texts by code points, where the engine's own order goes by UTF-16 units.
export function compareTexts(a, b) {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

// Compare two arrays of numbers, element by element.
export function compareNumbers(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return a.length - b.length;
}

// Order numbers, the least first; some may be BigInts.
export function ascending(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Take blanks off both ends; a cleaned line has no others than spaces.
export function strip(text) {
  return withoutEnd(text.slice(indentOf(text)));
}

// Take blanks off the end.
export function withoutEnd(text) {
  let end = text.length;
  while (end > 0 && text[end - 1] === " ") end--;
  return text.slice(0, end);
}

// Return how many blanks a text begins with.
export function indentOf(text) {
  let end = 0;
  while (text[end] === " ") end++;
  return end;
}

function isSurrogate(unit) {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isLowSurrogate(unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
