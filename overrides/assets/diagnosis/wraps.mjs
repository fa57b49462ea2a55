// Lines copied from a screen of fixed width -> the lines that were printed. Twin: generator/diagnosis/wraps.py.

import { lengthOf, withoutEnd } from "./text.mjs";

const LEAST_ROWS = 5;
const NARROWEST = 40; // columns under which equal lengths are no screen's
const SHARE = 5; // all rows but one in so many have the width

// Return the width of the screen that rows were copied from, their padding included; null if it was none.
export function widthOf(texts) {
  const rows = texts.filter((text) => text !== "");
  if (rows.length < LEAST_ROWS) return null;
  const width = rows.reduce((most, text) => Math.max(most, lengthOf(text)), 0);
  const full = rows.filter((text) => lengthOf(text) === width);
  const padded = full.filter((text) => text.endsWith(" ")).length;
  if (width < NARROWEST || full.length * SHARE <= rows.length * (SHARE - 1)) return null;
  return padded === 0 || padded === full.length ? null : width;
}

// Join rows, [number, text], that go on in the next; each line has the number of its first row.
export function unwrap(rows, width) {
  const lines = [];
  let goesOn = false;
  for (const [number, text] of rows) {
    if (goesOn) lines.at(-1)[1] += text;
    else lines.push([number, text]);
    goesOn = lengthOf(text) === width && !text.endsWith(" ");
  }
  return lines.map(([number, text]) => [number, withoutEnd(text)]);
}
