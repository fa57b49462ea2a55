// The chunks of a log -> its excerpt: the pieces round every hit, the first and the last; the twin of scan.py.

import { PieceReader, withoutReturns } from "./pieces.mjs";
import { Lines } from "./gate.mjs";

const FIRST_KEPT = 400; // pieces
const LAST_KEPT = 2000;
const BEFORE_HIT = 20;
const BEHIND_HIT = 120;
const WINDOWED = 2000; // pieces round hits that are kept from the beginning, and as many from the end

// Read a log once: chunks are Uint8Arrays; onProgress hears how many bytes are read.
export async function scan(chunks, gate, onProgress = () => {}) {
  const reader = new PieceReader();
  const lines = new Lines();
  const kept = new KeptPieces();
  let read = 0;
  let hits = 0;
  let first = 0;
  let line = 1;
  let total = 0;
  const take = (read) => {
    const data = lines.read(read).returns ? withoutReturns(read) : read;
    if (data !== read) lines.read(data);
    const block = new PieceBlock(data, first, line, lines);
    const found = gate.hits(lines);
    hits += found.length;
    kept.add(block, found);
    first = block.end;
    line = block.nextLine;
    total = line - (data[data.length - 1] === 10 ? 1 : 0);
  };
  for await (const chunk of chunks) {
    for (const data of reader.take(chunk)) take(data);
    read += chunk.length;
    onProgress(read);
  }
  for (const data of reader.end()) take(data);
  const pieces = kept.pieces();
  return { pieces, total, hits, dropped: kept.dropped };
}

// Some whole pieces of a file and where they stand in it: pieces before it, number of its first line.
class PieceBlock {
  constructor(data, first, firstLine, { ends, count, returns }) {
    this.data = data;
    this.first = first;
    this.firstLine = firstLine;
    this.end = first + count;
    this.ends = ends.slice(0, count);
    this.returns = returns;
    const isOpen = count > 0 && this.ends[count - 1] === data.length;
    this.nextLine = firstLine + count - returns - (isOpen ? 1 : 0);
  }

  // Return the number of each piece's line; few blocks are asked.
  get numbers() {
    if (this.kept) return this.kept;
    let line = this.firstLine;
    this.kept = Array.from(this.ends, (end) => (this.data[end] === 10 ? line++ : line));
    return this.kept;
  }

  piece(number) {
    return this.data.subarray(number ? this.ends[number - 1] + 1 : 0, this.ends[number]);
  }

  // Return copies of the pieces between two places in the file, so that the block can be forgotten.
  between(start, end) {
    const pieces = [];
    for (let place = Math.max(start, this.first); place < Math.min(end, this.end); place++) {
      const number = place - this.first;
      const line = this.returns ? this.numbers[number] : this.firstLine + number;
      pieces.push({ place, number: line, data: this.piece(number).slice() });
    }
    return pieces;
  }
}

class KeptPieces {
  constructor() {
    this.firsts = [];
    this.recent = []; // enough blocks for the last pieces of the file, and for those before a hit
    this.early = []; // pieces round hits
    this.late = [];
    this.dropped = 0;
    this.given = 0; // windows are complete up to here
    this.until = 0; // the last window ends here
  }

  // Take the next block, with the numbers of its pieces that are hits.
  add(block, hits) {
    if (block.first < FIRST_KEPT) this.firsts.push(...block.between(0, FIRST_KEPT));
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
    while (block.end - this.recent[0].end >= LAST_KEPT) this.recent.shift();
  }

  // Put the pieces of the open window, as far as they are read, among the others.
  give(read) {
    const end = Math.min(this.until, read);
    if (this.given >= end) return;
    for (const piece of this.between(this.given, end)) (this.early.length < WINDOWED ? this.early : this.late).push(piece);
    this.given = end;
    if (this.late.length > 2 * WINDOWED) this.forget();
  }

  forget() {
    const surplus = Math.max(0, this.late.length - WINDOWED);
    this.late.splice(0, surplus);
    this.dropped += surplus;
  }

  between(start, end) {
    return this.recent.filter((block) => block.end > start && block.first < end).flatMap((block) => block.between(start, end));
  }

  // Return all that is kept, in order.
  pieces() {
    this.forget();
    const end = this.recent.at(-1)?.end ?? 0;
    const lasts = this.between(Math.max(end - LAST_KEPT, 0), end);
    const byPlace = new Map([...this.firsts, ...this.early, ...this.late, ...lasts].map((piece) => [piece.place, piece]));
    const ordered = [...byPlace.values()].sort((a, b) => a.place - b.place);
    return ordered.map(({ number, data }) => ({ number, data }));
  }
}
