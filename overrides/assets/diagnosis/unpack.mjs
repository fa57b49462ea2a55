// A log as it was chosen -> its bytes, unpacked while they are read, so that memory does not grow with it.
// The browser unpacks; what it refuses of gzip, several members and a cut end, is unpacked here.

import { Gunzip } from "./gunzip.mjs";
import { Damaged } from "./huffman.mjs";

const TOLD = 1 << 22; // bytes after which it is told how far it is

// Says in one sentence why a file is not read.
export class Refusal extends Error {}

// Yield the bytes of a log; steps: what unpacks it, "deflate-raw" before "gzip". onDone(bytes) is told how far the packed ones are read,
// onCut() that the gzip data ends early.
export async function* unpack({ name = "", blob, steps }, onDone = () => {}, onCut = () => {}) {
  const packed = () => bytesOf(name, blob, onDone);
  const inner = steps.includes("deflate-raw") ? () => inflate(name, packed()) : packed;
  yield* steps.includes("gzip") ? gunzip(name, inner, onCut) : inner();
}

async function* inflate(name, chunks) {
  try {
    yield* stepped(chunks, "deflate-raw");
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${name} cannot be unpacked: it is damaged or cut short.`);
  }
}

// Start with the browser's own; when it breaks off, go over it again and skip what was given.
async function* gunzip(name, open, onCut) {
  let given = 0;
  try {
    for await (const piece of stepped(open(), "gzip")) {
      given += piece.length;
      yield piece;
    }
    return;
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  const own = new Gunzip();
  try {
    for await (const chunk of open()) {
      for (const piece of own.push(chunk)) {
        const known = Math.min(given, piece.length);
        given -= known;
        if (known < piece.length) yield piece.subarray(known);
      }
    }
    if (own.isCut) onCut();
  } catch (error) {
    throw error instanceof Damaged ? new Refusal(`${name} cannot be unpacked: its gzip data is damaged.`) : error;
  }
}

async function* stepped(chunks, step) {
  const source = new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
  });
  const reader = source.pipeThrough(new DecompressionStream(step)).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function* bytesOf(name, blob, onDone) {
  const reader = blob.stream().getReader();
  let read = 0;
  let told = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      read += chunk.value.length;
      if (read - told >= TOLD || read === blob.size) onDone((told = read));
      yield chunk.value;
    }
  } catch {
    throw new Refusal(`${name} cannot be read: it was changed or moved since it was chosen.`);
  } finally {
    reader.cancel().catch(() => {});
  }
}
