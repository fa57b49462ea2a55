// The chunks of a file, cut anywhere -> blocks of whole pieces; the twin of generator/diagnosis/pieces.py.

export const LONGEST = 8192; // bytes of a piece; a longer one keeps its HEAD first and TAIL last
const HEAD = 6144;
const TAIL = 2048;
const BLOCK = 1 << 17;
const LF = 10;
const CR = 13;

// Takes chunks and gives blocks, each as the parts of it that lie in different places: pieces with their line ends, LF or
// CRLF, or CR where the line goes on. The parts hold until more is asked for: who gives the chunks may fill them anew.
export class PieceReader {
  constructor() {
    this.start = new Uint8Array(0); // what came before the encoding was known
    this.decoder = undefined; // null for UTF-8
    this.carry = new Uint8Array(0);
  }

  *take(chunk) {
    const data = this.decode(chunk);
    for (let at = 0; at < data.length; at += BLOCK) yield* this.split(data.subarray(at, at + BLOCK));
  }

  *end() {
    if (this.decoder === undefined) yield* this.split(this.begin(this.start));
    else if (this.decoder) yield* this.split(new TextEncoder().encode(this.decoder.decode()));
    if (this.carry.length) yield [this.carry];
  }

  decode(chunk) {
    if (this.decoder === null) return chunk;
    if (this.decoder) return new TextEncoder().encode(this.decoder.decode(chunk, { stream: true }));
    this.start = joinBytes(this.start, chunk);
    return this.start.length < 3 ? new Uint8Array(0) : this.begin(this.start);
  }

  // Tell the encoding from the byte order mark, and drop it.
  begin(data) {
    const mark = data[0] * 256 + data[1];
    if (mark !== 0xfffe && mark !== 0xfeff) {
      this.decoder = null;
      return mark === 0xefbb && data[2] === 0xbf ? data.subarray(3) : data;
    }
    this.decoder = new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be", { ignoreBOM: true });
    return this.decode(data.subarray(2));
  }

  // Cut behind the last LF, else behind the last lone CR; of a piece without end only head and tail are held.
  *split(part) {
    const cut = part.lastIndexOf(LF) + 1;
    if (cut) {
      yield [this.carry, part.subarray(0, cut)];
      this.carry = part.slice(cut);
      return;
    }
    this.carry = joinBytes(this.carry, part);
    const returned = this.carry.lastIndexOf(CR, -2) + 1; // behind one at the very end an LF may follow
    if (returned) {
      yield [this.carry.subarray(0, returned)];
      this.carry = this.carry.slice(returned);
    }
    const size = this.carry.length;
    if (size > 2 * LONGEST) this.carry = joinBytes(this.carry.subarray(0, LONGEST), this.carry.subarray(size - LONGEST));
  }
}

// Return the parts of a block whose pieces that are too long are cut to head and tail.
export function cutLong(data) {
  const parts = [];
  for (let start = 0, end = 0; start < data.length; start = end) {
    while (end < data.length && data[end] !== LF && data[end] !== CR) end += 1;
    if (end - start <= LONGEST) parts.push(data.subarray(start, end));
    else parts.push(...headAndTail(data, start, end));
    if (end < data.length) parts.push(data.subarray(end, ++end));
  }
  return parts;
}

function headAndTail(data, start, end) {
  let head = start + HEAD;
  let tail = end - TAIL;
  while (head > start + HEAD - 3 && continuesCharacter(data[head])) head -= 1;
  while (tail < end - TAIL + 3 && continuesCharacter(data[tail])) tail += 1;
  return [data.subarray(start, head), Uint8Array.of(32), data.subarray(tail, end)];
}

export function joinBytes(...parts) {
  if (parts.length === 2 && !parts[0].length) return parts[1];
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

// Drop each CR that stands before an LF.
export function withoutReturns(data) {
  const kept = new Uint8Array(data.length);
  let size = 0;
  for (let i = 0; i < data.length; i++) {
    if (data[i] !== CR || data[i + 1] !== LF) kept[size++] = data[i];
  }
  return kept.subarray(0, size);
}

function continuesCharacter(byte) {
  return (byte & 0xc0) === 0x80;
}
