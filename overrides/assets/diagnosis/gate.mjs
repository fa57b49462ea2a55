// Literals -> what says which pieces of a block hold one in their text; the twin of gate.py.
// Wu and Manber's search looks through the bytes as they are, and through the texts of the pieces whose text they are not.

import { searched } from "./lines.mjs";
import { LF_BYTE, Lines, withSingleBlanks } from "./marks.mjs";
import { joinBytes } from "./pieces.mjs";

const WINDOW = 12;
const GRAM = 3; // bytes
const GRAMS = 1 << 16;
const LOOK_UP = 30; // as many steps take as long
const TEXT_ENCODER = new TextEncoder();

// Make the gate of some literals.
export function makeGate(literals) {
  return new Gate([...new Set(literals)]);
}

class Gate {
  constructor(literals) {
    if (literals.includes("")) throw new RangeError("a literal is empty");
    this.literals = literals;
    this.others = new Lines(); // the texts of pieces, as far as they are not what their bytes are
    this.patterns = literals.map((text) => TEXT_ENCODER.encode(text));
    this.isBlind = this.patterns.some((pattern) => pattern.length < GRAM); // then every piece must be looked at
    this.search = null; // made for the first block: what is rare in a log is known once some of it is read
  }

  // Return which pieces of a block hold a literal, in order.
  hits(pieces) {
    const suspects = this.suspects(pieces);
    const numbers = [...suspects.keys()].sort((a, b) => a - b);
    const texts = numbers.length ? textsOf(numbers.map((number) => pieces.piece(number))) : [];
    return numbers.filter((number, i) => {
      for (const which of suspects.get(number)) if (texts[i].includes(this.literals[which])) return true;
      return false;
    });
  }

  // Return piece -> the literals that it may hold.
  suspects(pieces) {
    const found = new Map();
    if (!this.literals.length) return found;
    if (this.isBlind) {
      const all = [...this.literals.keys()];
      for (let number = 0; number < pieces.count; number++) found.set(number, all);
      return found;
    }
    this.search ??= new WuManber(this.patterns, gramsOf(pieces));
    this.search.find(pieces, (number, which) => add(found, number, which));
    if (pieces.gapped.length) this.findIn(pieces.gapped, [withSingleBlanks(pieces)], found);
    if (pieces.odd.length) {
      const texts = textsOf(pieces.odd.map((number) => pieces.piece(number)));
      this.findIn(pieces.odd, [TEXT_ENCODER.encode(texts.join("\n"))], found);
    }
    return found;
  }

  // Look through the texts of some pieces.
  findIn(numbers, texts, found) {
    this.search.find(this.others.read(texts), (place, which) => add(found, numbers[place], which));
  }
}

function add(found, number, which) {
  if (!found.has(number)) found.set(number, new Set());
  found.get(number).add(which);
}

function textsOf(pieces) {
  const joined = [];
  for (const piece of pieces) joined.push(piece, Uint8Array.of(LF_BYTE));
  return searched(joinBytes(...joined.slice(0, -1))).split("\n");
}

// Finds some patterns at once: looks at three bytes and skips as far as no pattern's window can end.
class WuManber {
  constructor(patterns, counts) {
    const last = Math.min(WINDOW, ...patterns.map((pattern) => pattern.length)) - GRAM; // of a window's grams
    this.width = last + GRAM;
    this.steps = new Uint8Array(GRAMS).fill(last + 1);
    this.buckets = new Map();
    patterns.forEach((pattern, which) => {
      const offset = rarestWindow(pattern, last, counts);
      for (let at = 0; at <= last; at++) {
        const gram = gramOf(pattern, offset + at);
        this.steps[gram] = Math.min(this.steps[gram], last - at);
      }
      const gram = gramOf(pattern, offset + last);
      this.buckets.set(gram, [...(this.buckets.get(gram) ?? []), { pattern, offset, which }]);
    });
  }

  // Tell the number of a piece and that of a pattern, for each that is found. Goes through both halves at once: each step
  // waits for the memory, and two can wait together.
  find(lines, tell) {
    const { bytes, size } = lines;
    const { steps, width } = this;
    const middle = (size >> 1) + width - 1;
    let end = width - 1; // of the window
    let other = middle;
    while (end < middle && other < size) {
      const step = steps[(bytes[end - 2] + (bytes[end - 1] << 5) + (bytes[end] << 10)) & 0xffff];
      const stepToo = steps[(bytes[other - 2] + (bytes[other - 1] << 5) + (bytes[other] << 10)) & 0xffff];
      end += step || this.look(lines, end, tell);
      other += stepToo || this.look(lines, other, tell);
    }
    for (; end < middle && end < size; end += this.stepAt(bytes, end) || this.look(lines, end, tell));
    for (; other < size; other += this.stepAt(bytes, other) || this.look(lines, other, tell));
  }

  stepAt(bytes, end) {
    return this.steps[gramOf(bytes, end - 2)];
  }

  // Tell what is found at a window, and return the step behind it.
  look(lines, end, tell) {
    const { bytes, size } = lines;
    const start = end - this.width + 1;
    for (const { pattern, offset, which } of this.buckets.get(gramOf(bytes, end - 2))) {
      if (holdsAt(bytes, size, start - offset, pattern)) tell(lines.pieceAt(start), which);
    }
    return 1;
  }
}

// Count the grams of some lines.
function gramsOf({ bytes, size }) {
  const counts = new Uint32Array(GRAMS);
  for (let at = 0; at + GRAM <= size; at++) counts[gramOf(bytes, at)] += 1;
  return counts;
}

// Return where in a pattern the window begins whose grams cost least: one that ends a window is looked up, and the nearer
// to the end another is, the shorter its step.
function rarestWindow(pattern, last, counts) {
  let best = 0;
  let least = Infinity;
  for (let offset = 0; offset + last + GRAM <= pattern.length; offset++) {
    let cost = LOOK_UP * counts[gramOf(pattern, offset + last)];
    for (let at = 0; at <= last; at++) cost += (at + 1) * counts[gramOf(pattern, offset + at)];
    if (cost < least) [best, least] = [offset, cost];
  }
  return best;
}

function gramOf(bytes, at) {
  return (bytes[at] + (bytes[at + 1] << 5) + (bytes[at + 2] << 10)) & 0xffff;
}

function holdsAt(bytes, size, start, pattern) {
  if (start < 0 || start + pattern.length > size) return false;
  for (let i = 0; i < pattern.length; i++) if (bytes[start + i] !== pattern[i]) return false;
  return true;
}
