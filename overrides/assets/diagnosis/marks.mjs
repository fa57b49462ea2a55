// The bytes of a block -> where its pieces end, and which are odd: in those, blanks, escape sequences or characters that
// nobody sees may stand in a literal. One pass; the twin needs none, since it looks at shapes.

export const LF_BYTE = 10;
const CR_BYTE = 13;
const BLANK_BYTE = 0x20;
const DEL_BYTE = 0x7f;
const HIGH_BITS = 0x80808080 | 0;

// Pieces, each with its end but perhaps the last; the buffers are used again.
export class Lines {
  constructor() {
    this.hold(0);
  }

  hold(length) {
    this.words = new Int32Array(4 * ((length >> 4) + 1));
    this.bytes = new Uint8Array(this.words.buffer);
    this.ends = new Int32Array(length + 1);
  }

  // Take a copy of the parts of a block.
  read(parts) {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    if (this.ends.length <= size) this.hold(size);
    let at = 0;
    for (const part of parts) {
      this.bytes.set(part, at);
      at += part.length;
    }
    this.bytes.fill(0x2e, size, (size | 15) + 1);
    this.size = size;
    this.mark();
    this.isOpen = size > 0 && this.start < size;
    if (this.isOpen) this.end(size);
    return this;
  }

  // Find the ends of the pieces and those that are odd. Sixteen bytes are looked at together; few are worth more than that:
  // those below the blank or beyond ASCII, and the second of two blanks.
  mark() {
    const { words, size } = this;
    this.count = 0;
    this.start = 0; // of the piece
    this.indent = -1; // where the blanks at its front end, once that is known
    this.returns = 0;
    this.longest = 0;
    this.odd = []; // pieces whose text must be made
    this.gapped = []; // others with several blanks in a row
    let before = 0; // whether the byte before is a blank, as the mark of a word's lowest byte
    for (let i = 0; i << 2 < size; i += 4) {
      const a = words[i];
      const b = words[i + 1];
      const c = words[i + 2];
      const d = words[i + 3];
      const blanksA = blanksOf(a);
      const blanksB = blanksOf(b);
      const blanksC = blanksOf(c);
      const blanksD = blanksOf(d);
      const marksA = oddOf(a) | (blanksA & ((blanksA << 8) | before));
      const marksB = oddOf(b) | (blanksB & ((blanksB << 8) | (blanksA >>> 24)));
      const marksC = oddOf(c) | (blanksC & ((blanksC << 8) | (blanksB >>> 24)));
      const marksD = oddOf(d) | (blanksD & ((blanksD << 8) | (blanksC >>> 24)));
      before = blanksD >>> 24;
      if (((marksA | marksB | marksC | marksD) & HIGH_BITS) === 0) continue;
      const from = i << 2;
      this.look(from, marksA & HIGH_BITS);
      this.look(from + 4, marksB & HIGH_BITS);
      this.look(from + 8, marksC & HIGH_BITS);
      this.look(from + 12, marksD & HIGH_BITS);
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
        this.end(at);
      } else if (byte === BLANK_BYTE) {
        if (this.gapped[this.gapped.length - 1] !== this.count && this.isGap(at)) this.gapped.push(this.count);
      } else if (this.odd[this.odd.length - 1] !== this.count && this.isOdd(byte, at)) this.odd.push(this.count);
    }
  }

  end(at) {
    this.ends[this.count++] = at;
    this.longest = Math.max(this.longest, at - this.start);
    this.start = at + 1;
    this.indent = -1;
  }

  // Whether a byte shows that the piece's text is not what its bytes are.
  isOdd(byte, at) {
    return byte < BLANK_BYTE || byte === DEL_BYTE || isUnseen(byte, this.bytes[at + 1]);
  }

  // Whether a blank stands behind another, and not at the front of the piece.
  isGap(at) {
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

  // Return which piece has a place.
  pieceAt(place) {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Mark the bytes of a word that are blanks, each in its highest bit, and some others: what is marked is looked at again.
function blanksOf(word) {
  return (word ^ 0x20202020) - 0x01010101;
}

// Mark those below the blank or beyond "~", and some others.
function oddOf(word) {
  return (word - 0x20202020) | (word + 0x01010101);
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

// Return the pieces of a block that have several blanks in a row, each with an LF behind it, with one for each row.
export function withSingleBlanks({ bytes, ends, gapped }) {
  const joined = new Uint8Array(gapped.reduce((sum, number) => sum + ends[number] + 1 - (number ? ends[number - 1] + 1 : 0), 0));
  let size = 0;
  for (const number of gapped) {
    const end = ends[number];
    let at = number ? ends[number - 1] + 1 : 0;
    while (bytes[at] === BLANK_BYTE) joined[size++] = bytes[at++]; // at its front they stay
    for (; at < end; at++) {
      if (bytes[at] !== BLANK_BYTE || bytes[at - 1] !== BLANK_BYTE) joined[size++] = bytes[at];
    }
    joined[size++] = LF_BYTE;
  }
  return joined.subarray(0, size);
}
