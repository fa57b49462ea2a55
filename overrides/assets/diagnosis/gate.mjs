// Literals -> what says, of many pieces of a log at once, which of them hold one when cleaned; the twin of gate.py.
// The search is Wu and Manber's over shapes: pieces without digits, blanks, control characters and bytes beyond ASCII.

import { clean } from "./lines.mjs";
import { joinBytes } from "./pieces.mjs";

const LF_BYTE = 10;
const CR_BYTE = 13;
const ESC_BYTE = 0x1b;
const BRACKET_BYTE = 0x5b;
const KEPT = new Uint8Array(256).map((_, byte) => {
  if (byte === LF_BYTE || byte === CR_BYTE || byte === ESC_BYTE) return 1;
  return byte <= 0x20 || byte >= 0x7f || (byte >= 48 && byte <= 57) ? 0 : 1;
});
const WINDOW = 12;
const GRAM = 3;
const TEXT_ENCODER = new TextEncoder();

// Make the gate of some literals.
export function makeGate(literals) {
  return new Gate([...new Set(literals)]);
}

class Gate {
  constructor(literals) {
    if (literals.includes("")) throw new RangeError("a literal is empty");
    this.literals = literals;
    this.shapes = new Shapes();
    this.cleaned = new Shapes();
    const patterns = literals.map((text) => this.shapes.read(TEXT_ENCODER.encode(text)).text().slice());
    this.width = Math.min(WINDOW, ...patterns.map((pattern) => pattern.length));
    this.patterns = patterns;
    if (this.width >= GRAM) this.learn();
  }

  learn() {
    this.steps = new Uint8Array(1 << 16).fill(this.width - GRAM + 1);
    this.buckets = new Map();
    this.patterns.forEach((pattern, which) => {
      for (let at = 0; at <= this.width - GRAM; at++) {
        const gram = gramOf(pattern, at);
        const step = this.width - GRAM - at;
        if (step < this.steps[gram]) this.steps[gram] = step;
        if (step === 0) this.buckets.set(gram, [...(this.buckets.get(gram) ?? []), which]);
      }
    });
  }

  // Return, for the pieces that must be cleaned, number -> the literals they can hold, null if any.
  suspects(shapes) {
    const found = new Map();
    if (!this.literals.length) return found;
    if (this.width < GRAM) return new Map(Array.from({ length: shapes.count }, (_, i) => [i, null]));
    this.search(shapes, found);
    for (const number of shapes.odd()) found.set(number, null);
    return found;
  }

  search(shapes, found) {
    const { bytes, size } = shapes;
    const { steps, width } = this;
    let piece = 0;
    let end = width - 1; // of the window
    while (end < size) {
      const gram = (bytes[end - 2] + (bytes[end - 1] << 5) + (bytes[end] << 10)) & 0xffff;
      const step = steps[gram];
      end += step;
      if (step) continue;
      const start = end - width + 1;
      for (const which of this.buckets.get(gram)) {
        if (!holdsAt(bytes, size, start, this.patterns[which])) continue;
        piece = shapes.pieceAt(start, piece);
        if (!found.has(piece)) found.set(piece, new Set());
        found.get(piece).add(which);
      }
      end += 1;
    }
  }

  // Return which pieces of a block, once cleaned, hold a literal, in order; pieceOf gives the bytes of one.
  hits(shapes, pieceOf) {
    const suspects = this.suspects(shapes);
    if (!suspects.size) return [];
    const numbers = [...suspects.keys()].sort((a, b) => a - b);
    const lines = cleanEach(numbers.map(pieceOf));
    const unsure = numbers.map((_, i) => i).filter((i) => suspects.get(numbers[i]) === null);
    if (unsure.length && this.width >= GRAM) {
      const again = new Map();
      this.search(this.cleaned.read(TEXT_ENCODER.encode(unsure.map((i) => lines[i]).join("\n"))), again);
      unsure.forEach((i, place) => suspects.set(numbers[i], again.get(place) ?? []));
    }
    return numbers.filter((number, i) => {
      for (const which of suspects.get(number) ?? this.literals.keys()) if (lines[i].includes(this.literals[which])) return true;
      return false;
    });
  }
}

// Pieces reduced to their shapes, each with an LF behind it but perhaps the last; the buffers are used again.
export class Shapes {
  constructor() {
    this.bytes = new Uint8Array(0);
    this.ends = new Int32Array(0);
  }

  read(data) {
    const length = data.length;
    if (this.bytes.length <= length) {
      this.bytes = new Uint8Array(length + 1);
      this.ends = new Int32Array(length + 1);
    }
    const { bytes } = this;
    let size = 0;
    for (let i = 0; i < length; i++) {
      const byte = data[i];
      bytes[size] = byte; // a dropped one is overwritten by the next: this loop has no branch
      size += KEPT[byte];
    }
    this.size = size;
    const shapes = this.text();
    for (let at = shapes.indexOf(CR_BYTE); at >= 0; at = shapes.indexOf(CR_BYTE, at)) bytes[at] = LF_BYTE;
    this.count = endsOf(shapes, this.ends);
    if (length && data[length - 1] !== LF_BYTE && data[length - 1] !== CR_BYTE) this.ends[this.count++] = size;
    return this;
  }

  text() {
    return this.bytes.subarray(0, this.size);
  }

  // Return the pieces that may have escape sequences, in order: some more than once.
  odd() {
    const shapes = this.text();
    const found = [];
    for (let at = shapes.indexOf(ESC_BYTE); at >= 0; at = shapes.indexOf(ESC_BYTE, this.ends[found.at(-1)])) {
      found.push(this.pieceAt(at, found.at(-1) ?? 0));
    }
    let piece = 0;
    for (let at = shapes.indexOf(BRACKET_BYTE); at >= 0; at = shapes.indexOf(BRACKET_BYTE, at + 1)) {
      let behind = at + 1;
      while (shapes[behind] === 0x3b) behind += 1;
      if (shapes[behind] !== 0x6d) continue;
      piece = this.pieceAt(at, piece);
      found.push(piece);
    }
    return found;
  }

  // Return which piece has a place in its shape; it is not before the one given.
  pieceAt(place, from) {
    let low = from;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Write the places of all LF into an array, and return how many there are.
export function endsOf(data, ends) {
  let count = 0;
  for (let at = data.indexOf(LF_BYTE); at >= 0; at = data.indexOf(LF_BYTE, at + 1)) ends[count++] = at;
  return count;
}

function gramOf(bytes, at) {
  return (bytes[at] + (bytes[at + 1] << 5) + (bytes[at + 2] << 10)) & 0xffff;
}

function holdsAt(bytes, size, start, pattern) {
  if (start + pattern.length > size) return false;
  for (let i = 0; i < pattern.length; i++) if (bytes[start + i] !== pattern[i]) return false;
  return true;
}

function cleanEach(pieces) {
  const joined = [];
  for (const piece of pieces) joined.push(piece, Uint8Array.of(10));
  return clean(joinBytes(...joined.slice(0, -1))).split("\n");
}
