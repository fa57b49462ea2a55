// Literals -> what says which pieces of a block hold one in their text; the twin of gate.py.
// One pass finds where pieces end and which are odd: in those, blanks, escape sequences or characters that nobody sees may
// stand in a literal. Wu and Manber's search then looks through the bytes as they are, and through the texts of the odd.

import { searched } from "./lines.mjs";
import { joinBytes } from "./pieces.mjs";

const LF_BYTE = 10;
const CR_BYTE = 13;
const BLANK_BYTE = 0x20;
const DEL_BYTE = 0x7f;
const WINDOW = 12;
const GRAM = 3; // bytes
const GRAMS = 1 << 16;
const LOOK_UP = 30; // as many steps take as long
const HIGH_BITS = 0x80808080 | 0;
const TEXT_ENCODER = new TextEncoder();

// Make the gate of some literals.
export function makeGate(literals) {
  return new Gate([...new Set(literals)]);
}

class Gate {
  constructor(literals) {
    if (literals.includes("")) throw new RangeError("a literal is empty");
    this.literals = literals;
    this.odd = new Lines();
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
    if (pieces.odd.length) {
      this.odd.read(TEXT_ENCODER.encode(textsOf(pieces.odd.map((number) => pieces.piece(number))).join("\n")));
      this.search.find(this.odd, (place, which) => add(found, pieces.odd[place], which));
    }
    return found;
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

  // Tell the number of a piece and that of a pattern, for each that is found.
  find(lines, tell) {
    const { bytes, size } = lines;
    const { steps, width } = this;
    let number = 0;
    let end = width - 1; // of the window
    while (end < size) {
      const step = steps[(bytes[end - 2] + (bytes[end - 1] << 5) + (bytes[end] << 10)) & 0xffff];
      end += step;
      if (step) continue;
      const start = end - width + 1;
      for (const { pattern, offset, which } of this.buckets.get(gramOf(bytes, end - 2))) {
        if (!holdsAt(bytes, size, start - offset, pattern)) continue;
        number = lines.pieceAt(start, number);
        tell(number, which);
      }
      end += 1;
    }
  }
}

// Pieces, each with its end but perhaps the last; the buffers are used again.
export class Lines {
  constructor() {
    this.hold(0);
  }

  hold(length) {
    this.words = new Int32Array(2 * ((length >> 3) + 1));
    this.bytes = new Uint8Array(this.words.buffer);
    this.ends = new Int32Array(length + 1);
  }

  read(data) {
    const size = data.length;
    if (this.ends.length <= size) this.hold(size);
    this.bytes.set(data);
    this.bytes.fill(0x2e, size, (size | 7) + 1);
    this.size = size;
    this.mark();
    if (size && data[size - 1] !== LF_BYTE && data[size - 1] !== CR_BYTE) this.ends[this.count++] = size;
    return this;
  }

  // Find the ends of the pieces and those that are odd. Eight bytes are looked at together; few are worth more than that:
  // those below the blank or beyond ASCII, and the second of two blanks. (A "!" behind a blank is taken for one.)
  mark() {
    const { words, size } = this;
    this.count = 0;
    this.start = 0; // of the piece
    this.indent = -1; // where the blanks at its front end, once that is known
    this.returns = 0;
    this.odd = [];
    let before = 0; // whether the byte before is a blank, as the mark of a word's lowest byte
    for (let i = 0; i << 2 < size; i += 2) {
      const one = words[i];
      const two = words[i + 1];
      const unlike = one ^ 0x20202020;
      const unlikeToo = two ^ 0x20202020;
      const blanks = (unlike - 0x01010101) & ~unlike & HIGH_BITS;
      const blanksToo = (unlikeToo - 0x01010101) & ~unlikeToo & HIGH_BITS;
      const marks = (one - 0x20202020) | one | (one + 0x01010101) | (blanks & ((blanks << 8) | before));
      const marksToo = (two - 0x20202020) | two | (two + 0x01010101) | (blanksToo & ((blanksToo << 8) | (blanks >>> 24)));
      if (marks & HIGH_BITS) this.look(i << 2, marks & HIGH_BITS);
      if (marksToo & HIGH_BITS) this.look((i << 2) + 4, marksToo & HIGH_BITS);
      before = blanksToo >>> 24;
    }
  }

  // Look at the marked bytes of a word.
  look(from, marks) {
    for (let left = marks; left; left &= left - 1) {
      const at = from + ((31 - Math.clz32(left & -left)) >> 3);
      const byte = this.bytes[at];
      if (at >= this.size) return;
      if (byte === LF_BYTE || byte === CR_BYTE) {
        if (byte === CR_BYTE) this.returns += 1;
        this.ends[this.count++] = at;
        this.start = at + 1;
        this.indent = -1;
      } else if (this.odd[this.odd.length - 1] !== this.count && this.isOdd(byte, at)) this.odd.push(this.count);
    }
  }

  // Whether a byte shows that the piece's text is not what its bytes are.
  isOdd(byte, at) {
    if (byte !== BLANK_BYTE) return byte < BLANK_BYTE || byte === DEL_BYTE || isUnseen(byte, this.bytes[at + 1]);
    if (this.bytes[at - 1] !== BLANK_BYTE) return false;
    if (this.indent < 0) {
      this.indent = this.start;
      while (this.bytes[this.indent] === BLANK_BYTE) this.indent += 1;
    }
    return at >= this.indent;
  }

  piece(number) {
    return this.bytes.subarray(number ? this.ends[number - 1] + 1 : 0, this.ends[number]);
  }

  // Return which piece has a place; it is not before the one given.
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

// Whether two bytes may begin a blank beyond ASCII, or a character that is not seen.
function isUnseen(byte, next) {
  if (byte < 0xc2) return false;
  if (byte === 0xc2) return next <= 0xa0 || next === 0xad;
  if (byte === 0xd8) return next === 0x9c;
  if (byte === 0xe1) return next === 0x9a || next === 0xa0;
  if (byte === 0xe2) return next === 0x80 || next === 0x81;
  return (byte === 0xe3 && next === 0x80) || (byte === 0xef && next === 0xbb);
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
