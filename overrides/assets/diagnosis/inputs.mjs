// What a reader chose -> the logs to diagnose: plain, gzip and zip files as streams of bytes, counted against one limit.
// Unpacks while it is read, so that memory does not grow with a log. Knows nothing of what the bytes mean.

import { cutZip, listZip } from "./zip.mjs";

const MOST_FILES = 1000;
const SLICE = 1 << 22; // bytes read at a time
const STORED = 0;
const DEFLATED = 8;
const SKIPPED = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/;
const OTHERS = new Map([
  ["28b52ffd", "zstd"],
  ["fd377a58", "xz"],
  ["425a6839", "bzip2"],
  ["377abcaf", "7z"],
]);

// Says in one sentence why a file is not read.
export class Refusal extends Error {}

// Make logs, [{name, size, chunks()}], of what was chosen, [{name, blob}]. onRead(done, total) counts the bytes read.
export async function openInputs(chosen, most, onRead) {
  const budget = new Budget(most);
  const logs = [];
  for (const { name, blob } of chosen) {
    for await (const part of partsOf(name, blob, chosen.length > 1)) logs.push(part);
    if (logs.length > MOST_FILES) throw new Refusal(`These are more than ${MOST_FILES} files.`);
  }
  if (logs.length === 0) throw new Refusal("No file with text in it is among these.");
  const count = new Counter(logs, onRead);
  return logs.map((log) => ({
    name: log.name,
    size: log.blob.size,
    chunks: () => budget.spend(log.name, unpack(log, (done) => count.add(log, done))),
  }));
}

// One file is one log, a zip archive as many as it has files.
async function* partsOf(name, blob, severalChosen) {
  const magic = await magicOf(blob);
  if (!magic.startsWith("504b0304") && !magic.startsWith("504b0506")) {
    yield await logOf(name, blob, magic, []);
    return;
  }
  const entries = await listZip(blob);
  if (entries === null) throw new Refusal(`${name} is damaged, or larger than a zip archive that can be read here.`);
  for (const entry of entries) {
    if (entry.name.endsWith("/") || SKIPPED.test(entry.name)) continue;
    const label = severalChosen ? `${name}/${entry.name}` : entry.name;
    if (entry.encrypted) throw new Refusal(`${label} is encrypted.`);
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw new Refusal(`${label} is packed in a way that cannot be read here. Unpack ${name} first.`);
    }
    const cut = await cutZip(blob, entry);
    if (cut === null) throw new Refusal(`${name} is damaged.`);
    const steps = entry.method === DEFLATED ? ["deflate-raw"] : [];
    yield await logOf(label, cut, await magicOf(cut, steps), steps);
  }
}

async function logOf(name, blob, magic, steps) {
  const other = OTHERS.get(magic);
  if (other) throw new Refusal(`${name} is packed with ${other}, which browsers do not read. Unpack it first.`);
  const packed = magic.startsWith("1f8b");
  return { name, blob, steps: packed ? [...steps, "gzip"] : steps };
}

// The first four bytes of what is inside, in hexadecimal.
async function magicOf(blob, steps = []) {
  const head = steps.length ? blob : blob.slice(0, 4);
  let magic = "";
  try {
    for await (const chunk of unpack({ blob: head, steps })) {
      for (const byte of chunk) if (magic.length < 8) magic += byte.toString(16).padStart(2, "0");
      if (magic.length === 8) break;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // what cannot be unpacked is said when it is read
  }
  return magic;
}

// Yield the bytes of a log, unpacked; onDone(bytes) is told how far the packed ones are read.
async function* unpack({ name = "", blob, steps }, onDone = () => {}) {
  if (steps.length === 0) {
    yield* slicesOf(name, blob, onDone);
    return;
  }
  const slices = slicesOf(name, blob, onDone);
  let stream = new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await slices.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
  });
  for (const step of steps) stream = stream.pipeThrough(new DecompressionStream(step));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await read(name, reader);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function read(name, reader) {
  try {
    return await reader.read();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${name} cannot be unpacked: it is damaged, cut short, or several archives in a row. Unpack it first.`);
  }
}

async function* slicesOf(name, blob, onDone) {
  let next = sliceOf(name, blob, 0);
  for (let at = 0; at < blob.size; at += SLICE) {
    const slice = await next;
    if (at + SLICE < blob.size) next = sliceOf(name, blob, at + SLICE); // read while this one is worked on
    onDone(Math.min(blob.size, at + SLICE));
    yield slice;
  }
}

async function sliceOf(name, blob, at) {
  try {
    return new Uint8Array(await blob.slice(at, at + SLICE).arrayBuffer());
  } catch {
    throw new Refusal(`${name} cannot be read: it was changed or moved since it was chosen.`);
  }
}

// One limit for all logs together, so that a small archive cannot unpack without end.
class Budget {
  constructor(most) {
    this.most = most;
    this.spent = new Map();
  }

  async *spend(name, chunks) {
    let own = 0;
    for await (const chunk of chunks) {
      own += chunk.length;
      if (own > (this.spent.get(name) ?? 0)) this.spent.set(name, own); // read twice, counted once
      const all = [...this.spent.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (all > this.most) {
        throw new Refusal(`There are more than ${gigabytes(this.most)} to read once unpacked. The command line has no limit.`);
      }
      yield chunk;
    }
  }
}

function gigabytes(bytes) {
  return bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes} bytes`;
}

// Adds up how far each log is read.
class Counter {
  constructor(logs, onRead) {
    this.total = logs.reduce((sum, { blob }) => sum + blob.size, 0);
    this.done = new Map();
    this.onRead = onRead;
  }

  add(log, bytes) {
    this.done.set(log, Math.max(bytes, this.done.get(log) ?? 0));
    this.onRead([...this.done.values()].reduce((sum, part) => sum + part, 0), this.total);
  }
}
