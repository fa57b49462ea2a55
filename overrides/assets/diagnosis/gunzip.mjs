// Bytes packed with gzip -> the bytes that were packed: several members in a row, and what is there of a cut one.
// Browsers unpack one whole member only; this reads what they refuse, as `unpacked` of logs.py does. RFC 1951 and 1952.

import { CODE_ORDER, DISTANCES, FIXED, LENGTHS, Damaged, decoderOf, tally } from "./huffman.mjs";

const REACH = 1 << 15; // bytes that a distance reaches back
const ROOM = 1 << 18; // bytes unpacked before they are handed on
const LONGEST_COPY = 258; // bytes of one copy
const SHORT = Symbol("more bytes are needed");

export class Gunzip {
  constructor() {
    this.input = new Uint8Array(0);
    this.at = 0; // place of the next byte of the input
    this.hold = 0; // bits taken from the input and not used yet, the next one lowest
    this.bits = 0;
    this.out = new Uint8Array(REACH + ROOM + LONGEST_COPY);
    this.end = 0; // bytes of `out` that are filled
    this.shown = 0; // of these, handed on
    this.begin();
  }

  // Yield what further bytes unpack to. Throws Damaged.
  *push(chunk) {
    this.align(this.bits & 7);
    const rest = this.input.subarray(this.at);
    this.input = rest.length ? joined(rest, chunk) : chunk;
    this.at = 0;
    for (;;) {
      const goesOn = this.stage();
      if (goesOn && !this.isFull()) continue;
      const piece = this.handOn();
      if (piece.length) yield piece;
      if (!goesOn) return;
    }
  }

  // Stages: each returns true when the next can go on, false when it needs more input; it then took none.

  begin() {
    this.first = this.end; // place of the member's first byte in `out`; below zero once that is gone
    this.tallied = this.end;
    this.sum = 0;
    this.stage = this.header;
  }

  header() {
    const { input } = this;
    const start = this.at;
    const has = (bytes) => start + bytes <= input.length;
    if (has(2) && (input[start] !== 0x1f || input[start + 1] !== 0x8b)) throw new Damaged();
    if (has(4) && (input[start + 2] !== 8 || input[start + 3] & 0xe0)) throw new Damaged();
    if (!has(10)) return false;
    const flags = input[start + 3];
    let at = start + 10;
    if (flags & 4) at += 2 + (input[at] | (input[at + 1] << 8));
    for (const flag of [8, 16]) if (flags & flag) at = 1 + (at < input.length ? input.indexOf(0, at) : -1) || Infinity;
    const end = at + (flags & 2);
    if (!(end <= input.length)) return false;
    if (flags & 2 && (input[at] | (input[at + 1] << 8)) !== (tally(0, input, start, at) & 0xffff)) throw new Damaged();
    this.at = end;
    this.stage = this.block;
    return true;
  }

  block() {
    const was = [this.at, this.hold, this.bits];
    try {
      this.isLast = this.take(1) === 1;
      const kind = this.take(2);
      if (kind === 3) throw new Damaged();
      if (kind === 0) {
        this.align();
        this.left = this.take(16);
        if (this.left !== (~this.take(16) & 0xffff)) throw new Damaged();
        this.align();
        this.stage = this.stored;
      } else {
        [this.literals, this.distances] = kind === 1 ? FIXED : this.readCodes();
        this.stage = this.coded;
      }
      return true;
    } catch (error) {
      if (error !== SHORT) throw error;
      [this.at, this.hold, this.bits] = was;
      return false;
    }
  }

  stored() {
    const bytes = Math.min(this.left, this.input.length - this.at, this.out.length - this.end);
    this.out.set(this.input.subarray(this.at, this.at + bytes), this.end);
    this.end += bytes;
    this.at += bytes;
    this.left -= bytes;
    if (this.left === 0) this.stage = this.isLast ? this.trailer : this.block;
    return this.left === 0 || this.at < this.input.length;
  }

  coded() {
    const { input, out, literals, distances, first } = this;
    const [literalMask, distanceMask] = [literals.length - 1, distances.length - 1];
    const full = out.length - LONGEST_COPY;
    let { at, hold, bits, end } = this;
    let [wasAt, wasHold, wasBits] = [at, hold, bits];
    let isShort = false;
    while (end <= full) {
      wasAt = at;
      wasHold = hold;
      wasBits = bits;
      for (; bits < 24 && at < input.length; bits += 8) hold |= input[at++] << bits;
      const literal = literals[hold & literalMask];
      if (literal === 0 && bits > 0) throw new Damaged();
      if ((isShort = bits === 0 || (literal & 15) > bits)) break;
      hold >>>= literal & 15;
      bits -= literal & 15;
      const symbol = literal >>> 4;
      if (symbol < 256) {
        out[end++] = symbol;
        continue;
      }
      if (symbol === 256) {
        this.stage = this.isLast ? this.trailer : this.block;
        break;
      }
      if (symbol > 285) throw new Damaged();
      const lengthBits = LENGTHS.bits[symbol - 257];
      if ((isShort = lengthBits > bits)) break;
      const length = LENGTHS.base[symbol - 257] + (hold & ((1 << lengthBits) - 1));
      hold >>>= lengthBits;
      bits -= lengthBits;
      for (; bits < 24 && at < input.length; bits += 8) hold |= input[at++] << bits;
      const place = distances[hold & distanceMask];
      if (place === 0 && bits > 0) throw new Damaged();
      if ((isShort = bits === 0 || (place & 15) > bits)) break;
      hold >>>= place & 15;
      bits -= place & 15;
      if (place >>> 4 > 29) throw new Damaged();
      for (; bits < 24 && at < input.length; bits += 8) hold |= input[at++] << bits;
      const distanceBits = DISTANCES.bits[place >>> 4];
      if ((isShort = distanceBits > bits)) break;
      const distance = DISTANCES.base[place >>> 4] + (hold & ((1 << distanceBits) - 1));
      hold >>>= distanceBits;
      bits -= distanceBits;
      if (distance > end - first) throw new Damaged();
      for (const stop = end + length; end < stop; end++) out[end] = out[end - distance];
    }
    [this.at, this.hold, this.bits] = isShort ? [wasAt, wasHold, wasBits] : [at, hold, bits];
    this.end = end;
    return !isShort;
  }

  trailer() {
    this.align();
    if (this.at + 8 > this.input.length) return false;
    const said = new DataView(this.input.buffer, this.input.byteOffset + this.at, 8);
    this.count();
    if (said.getUint32(0, true) !== this.sum >>> 0 || said.getUint32(4, true) !== (this.end - this.first) >>> 0) throw new Damaged();
    this.at += 8;
    this.begin();
    return true;
  }

  // What the stages share

  // Read the two codes of a block that brings its own.
  readCodes() {
    const [literals, distances, ordered] = [this.take(5) + 257, this.take(5) + 1, this.take(4) + 4];
    if (literals > 286 || distances > 30) throw new Damaged();
    const own = new Uint8Array(19);
    for (let i = 0; i < ordered; i++) own[CODE_ORDER[i]] = this.take(3);
    const decoder = decoderOf(own, true);
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.symbol(decoder);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      const times = symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
      if ((symbol === 16 && i === 0) || i + times > lengths.length) throw new Damaged();
      lengths.fill(symbol === 16 ? lengths[i - 1] : 0, i, (i += times));
    }
    if (lengths[256] === 0) throw new Damaged();
    return [decoderOf(lengths.subarray(0, literals)), decoderOf(lengths.subarray(literals))];
  }

  symbol(decoder) {
    for (; this.bits < 8 && this.at < this.input.length; this.bits += 8) this.hold |= this.input[this.at++] << this.bits;
    const found = decoder[this.hold & (decoder.length - 1)];
    if (this.bits === 0 || (found & 15) > this.bits) throw SHORT;
    if (found === 0) throw new Damaged();
    this.take(found & 15);
    return found >>> 4;
  }

  take(count) {
    for (; this.bits < count; this.bits += 8) {
      if (this.at === this.input.length) throw SHORT;
      this.hold |= this.input[this.at++] << this.bits;
    }
    const value = this.hold & ((1 << count) - 1);
    this.hold >>>= count;
    this.bits -= count;
    return value;
  }

  // Give whole bytes back to the input and drop all but some bits of the one begun.
  align(kept = 0) {
    this.at -= this.bits >> 3;
    this.bits = kept;
    this.hold &= (1 << kept) - 1;
  }

  // Whether what was pushed ends within a member.
  get isCut() {
    return this.stage !== this.header || this.at < this.input.length;
  }

  isFull() {
    return this.end > this.out.length - LONGEST_COPY;
  }

  count() {
    this.sum = tally(this.sum, this.out, this.tallied, this.end);
    this.tallied = this.end;
  }

  // Return what was not handed on yet; make room when there is none.
  handOn() {
    this.count();
    const piece = this.out.slice(this.shown, this.end);
    if (this.isFull()) {
      const gone = this.end - REACH;
      this.out.copyWithin(0, gone, this.end);
      this.first -= gone;
      this.end = this.tallied = REACH;
    }
    this.shown = this.end;
    return piece;
  }
}

function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
