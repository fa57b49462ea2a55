// Lines copied from a screen of fixed width -> the lines that were printed. Twin: generator/diagnosis/wraps.py.

import { lengthOf, withoutEnd } from "./text.mjs";

const LEAST_ROWS = 5;
const NARROWEST = 40; // columns under which equal lengths are no screen's
const SHARE = 5; // padded: all rows but one in so many have the width
const LEAST_CUT = 3; // rows that are cut, where none is padded
const LEAST_SURE = 4; // those of different text and those cut inside a word, together
const HEAD_LENGTH = 4; // characters by which beginnings of lines are compared
const IN_WORD = /^[A-Za-z0-9_]{2}$/;

// Return the width of the screen that rows were copied from; null if it was none.
export function widthOf(texts) {
  const rows = texts.filter((text) => text !== "");
  if (rows.length < LEAST_ROWS) return null;
  const width = rows.reduce((most, text) => Math.max(most, lengthOf(text)), 0);
  if (width < NARROWEST) return null;
  if (!isPadded(rows, width)) return areCut(rows, width) ? width : null;
  const full = rows.filter((text) => lengthOf(text) === width);
  const padded = full.filter((text) => text.endsWith(" ")).length;
  return padded === 0 || padded === full.length ? null : width;
}

// Join rows, [number, text], that go on in the next; each line has the number of its first row.
export function unwrap(rows, width) {
  const texts = rows.map(([, text]) => text).filter((text) => text !== "");
  const padded = isPadded(texts, width);
  const heads = padded ? new Set() : headsOf(texts, width);
  const lines = [];
  let goesOn = false;
  for (const [number, text] of rows) {
    if (goesOn && !heads.has(headOf(text))) lines.at(-1)[1] += text;
    else lines.push([number, text]);
    goesOn = lengthOf(text) === width && !(padded && text.endsWith(" "));
  }
  return lines.map(([number, text]) => [number, withoutEnd(text)]);
}

function isPadded(rows, width) {
  return rows.filter((text) => lengthOf(text) === width).length * SHARE > rows.length * (SHARE - 1);
}

function areCut(rows, width) {
  const heads = headsOf(rows, width);
  const full = pairsOf(rows).filter(([before]) => lengthOf(before) === width);
  const cut = full.filter(([, after]) => !heads.has(headOf(after)));
  const different = new Set(cut.map(([before]) => before.replace(/[0-9]+/g, "0"))).size;
  const inside = cut.filter(([before, after]) => IN_WORD.test(before.at(-1) + after[0])).length;
  return cut.length >= LEAST_CUT && inside > 0 && inside + different >= LEAST_SURE && cut.length * 2 > full.length;
}

// Return how lines begin: what stands behind a row that is not full.
function headsOf(rows, width) {
  const behind = pairsOf(rows).filter(([before]) => lengthOf(before) < width);
  return new Set([headOf(rows[0]), ...behind.map(([, after]) => headOf(after))]);
}

function pairsOf(rows) {
  return rows.slice(1).map((after, i) => [rows[i], after]);
}

function headOf(text) {
  return [...text.slice(0, 2 * HEAD_LENGTH)].slice(0, HEAD_LENGTH).join("");
}
