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
    this.cleaned = new Shapes();
    const shapes = literals.map((text, which) => [new Shapes().read(TEXT_ENCODER.encode(text)).text(), which]);
    this.isBlind = shapes.some(([shape]) => shape.length < GRAM); // then every piece must be cleaned
    // A short literal makes all steps short: the few of them are searched for on their own.
    const groups = [shapes.filter(([shape]) => shape.length >= WINDOW), shapes.filter(([shape]) => shape.length < WINDOW)];
    this.searches = this.isBlind ? [] : groups.filter((group) => group.length).map((group) => new WuManber(group));
  }

  // Return, for the pieces that must be cleaned, number -> the literals they can hold, null if any.
  suspects(shapes) {
    if (this.isBlind) return new Map(Array.from({ length: shapes.count }, (_, i) => [i, null]));
    const found = this.search(shapes);
    if (this.searches.length) for (const number of shapes.odd) found.set(number, null);
    return found;
  }

  search(shapes) {
    const found = new Map();
    for (const search of this.searches) search.find(shapes, found);
    return found;
  }

  // Return which pieces of a block, once cleaned, hold a literal, in order; pieceOf gives the bytes of one.
  hits(shapes, pieceOf) {
    const suspects = this.suspects(shapes);
    if (!suspects.size) return [];
    const numbers = [...suspects.keys()].sort((a, b) => a - b);
    const lines = cleanEach(numbers.map(pieceOf));
    const unsure = numbers.map((_, i) => i).filter((i) => suspects.get(numbers[i]) === null);
    if (unsure.length && !this.isBlind) {
      const again = this.search(this.cleaned.read(TEXT_ENCODER.encode(unsure.map((i) => lines[i]).join("\n"))));
      unsure.forEach((i, place) => suspects.set(numbers[i], again.get(place) ?? []));
    }
    return numbers.filter((number, i) => {
      for (const which of suspects.get(number) ?? this.literals.keys()) if (lines[i].includes(this.literals[which])) return true;
      return false;
    });
  }
}

// Finds some patterns, [bytes, number], at once: looks at three bytes and skips as far as no pattern can end.
class WuManber {
  constructor(patterns) {
    this.patterns = patterns;
    this.width = Math.min(WINDOW, ...patterns.map(([pattern]) => pattern.length));
    this.steps = new Uint8Array(1 << 16).fill(this.width - GRAM + 1);
    this.buckets = new Map();
    for (const entry of patterns) {
      for (let at = 0; at <= this.width - GRAM; at++) {
        const gram = gramOf(entry[0], at);
        const step = this.width - GRAM - at;
        if (step < this.steps[gram]) this.steps[gram] = step;
        if (step === 0) this.buckets.set(gram, [...(this.buckets.get(gram) ?? []), entry]);
      }
    }
  }

  // Add the numbers of all patterns in each piece to those found: piece -> set of numbers.
  find(shapes, found) {
    const { bytes, size } = shapes;
    const { steps, width } = this;
    let piece = 0;
    let end = width - 1; // of the window
    while (end < size) {
      const step = steps[(bytes[end - 2] + (bytes[end - 1] << 5) + (bytes[end] << 10)) & 0xffff];
      end += step;
      if (step) continue;
      const start = end - width + 1;
      for (const [pattern, which] of this.buckets.get(gramOf(bytes, end - 2))) {
        if (!holdsAt(bytes, size, start, pattern)) continue;
        piece = shapes.pieceAt(start, piece);
        if (!found.has(piece)) found.set(piece, new Set());
        found.get(piece).add(which);
      }
      end += 1;
    }
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
    this.mark();
    if (length && data[length - 1] !== LF_BYTE && data[length - 1] !== CR_BYTE) this.ends[this.count++] = size;
    return this;
  }

  // Find the ends of the pieces, and those pieces that may have escape sequences.
  mark() {
    const { bytes, ends, size } = this;
    let count = 0;
    let lastOdd = -1;
    this.hasReturns = false;
    this.odd = [];
    for (let i = 0; i < size; i++) {
      const byte = bytes[i];
      if (byte > ESC_BYTE && byte !== BRACKET_BYTE) continue;
      if (byte === LF_BYTE || byte === CR_BYTE) {
        if (byte === CR_BYTE) this.hasReturns = true;
        bytes[i] = LF_BYTE;
        ends[count++] = i;
      } else if (lastOdd !== count && (byte === ESC_BYTE || isLostEscape(bytes, i, size))) {
        lastOdd = count;
        this.odd.push(count);
      }
    }
    this.count = count;
  }

  text() {
    return this.bytes.subarray(0, this.size);
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

function isLostEscape(shapes, at, size) {
  let behind = at + 1;
  while (behind < size && shapes[behind] === 0x3b) behind += 1;
  return behind < size && shapes[behind] === 0x6d;
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
