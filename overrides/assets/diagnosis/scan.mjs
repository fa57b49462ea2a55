// The chunks of a log -> its excerpt: the pieces round every hit, the first and the last; the twin of scan.py.

import { Lines } from "./marks.mjs";
import { LONGEST, PieceReader, cutLong, withoutReturns } from "./pieces.mjs";

const FIRST_KEPT = 400; // pieces
const LAST_KEPT = 2000;
const BEFORE_HIT = 20;
const BEHIND_HIT = 120;
const WINDOWED = 2000; // pieces round hits that are kept from the beginning, and as many from the end

// Read a log once: chunks are Uint8Arrays; onProgress hears how many bytes are read.
export async function scan(chunks, gate, onProgress = () => {}) {
  const reader = new PieceReader();
  const kept = new KeptPieces();
  let read = 0;
  let hits = 0;
  let first = 0;
  let line = 1;
  let total = 0;
  const take = (parts) => {
    const block = new PieceBlock(kept.spare(), parts, first, line);
    const found = gate.hits(block.lines);
    hits += found.length;
    kept.add(block, found);
    first = block.end;
    line = block.nextLine;
    total = block.lastLine;
  };
  for await (const chunk of chunks) {
    for (const parts of reader.take(chunk)) take(parts);
    read += chunk.length;
    onProgress(read);
  }
  for (const parts of reader.end()) take(parts);
  const pieces = kept.pieces();
  return { pieces, total, hits, dropped: kept.dropped };
}

// Some whole pieces of a file and where they stand in it: pieces before it, number of its first line.
class PieceBlock {
  constructor(lines, parts, first, firstLine) {
    this.lines = lines.read(parts);
    const own = () => lines.bytes.slice(0, lines.size);
    if (lines.returns) lines.read([withoutReturns(own())]);
    if (lines.longest > LONGEST) lines.read(cutLong(own()));
    this.first = first;
    this.firstLine = firstLine;
    this.end = first + lines.count;
    this.nextLine = firstLine + lines.count - lines.returns - (lines.isOpen ? 1 : 0);
    this.lastLine = this.nextLine - (lines.bytes[lines.size - 1] === 10 ? 1 : 0);
  }

  // Return the number of each piece's line; few blocks are asked.
  get numbers() {
    if (this.kept) return this.kept;
    let line = this.firstLine;
    const { bytes, ends, count } = this.lines;
    this.kept = Array.from(ends.subarray(0, count), (end) => (bytes[end] === 10 ? line++ : line));
    return this.kept;
  }

  // Return a copy of the pieces between two places in the file, so that the block can be forgotten.
  between(start, end) {
    const low = Math.max(start - this.first, 0);
    const high = Math.min(end - this.first, this.lines.count);
    const { bytes, ends, returns } = this.lines;
    const from = low ? ends[low - 1] + 1 : 0;
    return new Span({
      first: this.first + low,
      bytes: bytes.slice(from, ends[high - 1]),
      ends: ends.subarray(low, high).map((at) => at - from),
      line: this.firstLine + low,
      numbers: returns ? this.numbers.slice(low, high) : null,
    });
  }
}

// Pieces that follow each other in the file, and the lines they stand in.
class Span {
  constructor({ first, bytes, ends, line, numbers }) {
    this.first = first; // pieces before it
    this.bytes = bytes;
    this.ends = ends;
    this.line = line; // of its first piece, where each piece is a line
    this.numbers = numbers; // of the lines, where not
    this.skipped = 0; // pieces of it that were given up
  }

  get count() {
    return this.ends.length - this.skipped;
  }

  *pieces() {
    for (let i = this.skipped; i < this.ends.length; i++) {
      const data = this.bytes.subarray(i ? this.ends[i - 1] + 1 : 0, this.ends[i]);
      yield { place: this.first + i, number: this.numbers ? this.numbers[i] : this.line + i, data };
    }
  }
}

class KeptPieces {
  constructor() {
    this.firsts = [];
    this.recent = []; // enough blocks for the last pieces of the file, and for those before a hit
    this.spares = []; // what held the blocks before them
    this.early = []; // round hits
    this.late = [];
    this.room = WINDOWED; // among the early
    this.held = 0; // pieces among the late
    this.dropped = 0;
    this.given = 0; // windows are complete up to here
    this.until = 0; // the last window ends here
  }

  // Take the next block, with the numbers of its pieces that are hits.
  add(block, hits) {
    if (block.first < FIRST_KEPT) this.firsts.push(block.between(0, FIRST_KEPT));
    this.recent.push(block);
    for (const hit of hits) {
      const start = block.first + hit - BEFORE_HIT;
      if (start > this.until) {
        this.give(block.end);
        this.given = start;
      }
      this.until = block.first + hit + BEHIND_HIT + 1;
    }
    this.give(block.end);
    while (block.end - this.recent[0].end >= LAST_KEPT) this.spares.push(this.recent.shift().lines);
  }

  spare() {
    return this.spares.pop() ?? new Lines();
  }

  // Put the pieces of the open window, as far as they are read, among the others.
  give(read) {
    const end = Math.min(this.until, read);
    if (this.given >= end) return;
    for (const block of this.blocksBetween(this.given, end)) this.addWindow(block, this.given, end);
    this.given = end;
  }

  addWindow(block, start, end) {
    const middle = Math.min(end, block.end, Math.max(start, block.first) + this.room);
    if (this.room) {
      const early = block.between(start, middle);
      this.early.push(early);
      this.room -= early.count;
    }
    if (middle >= Math.min(end, block.end)) return;
    const late = block.between(Math.max(start, middle), end);
    this.late.push(late);
    this.held += late.count;
    while (this.held - this.late[0].count >= WINDOWED) this.drop(this.late.shift().count);
  }

  drop(count) {
    this.held -= count;
    this.dropped += count;
  }

  blocksBetween(start, end) {
    return this.recent.filter((block) => block.end > start && block.first < end);
  }

  // Return all that is kept, in order.
  pieces() {
    if (this.held > WINDOWED) {
      const surplus = this.held - WINDOWED;
      this.late[0].skipped += surplus;
      this.drop(surplus);
    }
    const end = this.recent.at(-1)?.end ?? 0;
    const last = Math.max(end - LAST_KEPT, 0);
    const lasts = this.blocksBetween(last, end).map((block) => block.between(last, end));
    const spans = [...this.firsts, ...this.early, ...this.late, ...lasts].sort((a, b) => a.first - b.first);
    const byPlace = new Map(spans.flatMap((span) => [...span.pieces()]).map((piece) => [piece.place, piece]));
    const ordered = [...byPlace.values()].sort((a, b) => a.place - b.place);
    return ordered.map(({ number, data }) => ({ number, data }));
  }
}
