// What a reader chose -> the logs to diagnose: plain, gzip and zip files as streams of bytes, counted against one limit.
// Passes over what is no log, by name and with the reason. Knows nothing of what the bytes mean.

import { Refusal, unpack } from "./unpack.mjs";
import { cutZip, listZip } from "./zip.mjs";

const MOST_FILES = 1000;
const JUDGED = 1024; // bytes by which a file is judged
const STORED = 0;
const DEFLATED = 8;
const OF_THE_SYSTEM = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;
const NO_TEXT = "holds no text";
const OTHERS = new Map([
  ["28b52ffd", "zstd"],
  ["fd377a58", "xz"],
  ["425a68", "bzip2"],
  ["377abcaf", "7z"],
]);
const METHODS = new Map([
  [9, "deflate64"],
  [12, "bzip2"],
  [14, "lzma"],
  [93, "zstd"],
  [95, "xz"],
]);

// Make {logs: [{name, size, chunks()}], passed: [{name, why}], notes} of what was chosen, [{name, blob}]. onRead(done, total) counts the bytes read.
// notes() says, once the logs are read, what of them was lacking.
export async function openInputs(chosen, most, onRead) {
  const parts = [];
  for (const { name, blob } of chosen) {
    for await (const part of partsOf(name, blob, chosen.length > 1)) {
      if (parts.push(part) > MOST_FILES) throw new Refusal(`These are more than ${MOST_FILES} files.`);
    }
  }
  const alone = parts.length === 1 && parts[0].why === NO_TEXT; // who chose it alone wants it read
  const logs = alone ? parts : parts.filter((part) => part.why === null);
  const passed = alone ? [] : parts.filter((part) => part.why !== null).map(({ name, why }) => ({ name, why }));
  if (logs.length === 0) throw new Refusal(sayNone(passed));
  if (logs.reduce((sum, { blob }) => sum + blob.size, 0) > most) throw new Refusal(`These are more than the ${sayMost(most)} that are read here. The command line has no limit.`);
  const budget = new Budget(most);
  const count = new Counter(logs, onRead);
  const cut = new Set();
  const opened = logs.map((log) => ({
    name: log.name,
    size: log.blob.size,
    chunks: () => budget.spend(log.name, unpack(log, (done) => count.add(log, done), () => cut.add(log))),
  }));
  const notes = () => [...cut].map(({ name }) => `${name}: the gzip data ends early; what was there was read.`);
  return { logs: opened, passed, notes };
}

function sayNone(passed) {
  if (passed.length === 0) return "No file with text in it is among these.";
  const [{ name, why }] = passed;
  return passed.length === 1 ? `${name} ${why}.` : `None of these ${passed.length} files can be read; the first, ${name}, ${why}.`;
}

// One file is one log, a zip archive as many as it has files: {name, blob, steps, why}, why: null, or the reason not to read it.
async function* partsOf(name, blob, severalChosen) {
  const refused = (label, why) => ({ name: label, blob, steps: [], why });
  if (OF_THE_SYSTEM.test(name)) {
    yield refused(name, "is a note of the system");
    return;
  }
  const head = await beginningOf({ name, blob, steps: [] });
  const magic = hex(head);
  if (!magic.startsWith("504b0304") && !magic.startsWith("504b0506")) {
    yield judged({ name, blob, steps: [] }, head);
    return;
  }
  const entries = await listZip(blob);
  if (entries === null) yield refused(name, "is damaged, or one of several parts of an archive");
  for (const entry of entries ?? []) {
    if (entry.name.endsWith("/")) continue;
    const label = severalChosen ? `${name}/${entry.name}` : entry.name;
    if (OF_THE_SYSTEM.test(entry.name)) yield refused(label, "is a note of the system");
    else if (entry.encrypted) yield refused(label, `is encrypted: unpack ${name} first`);
    else if (entry.method !== STORED && entry.method !== DEFLATED) {
      const method = METHODS.get(entry.method) ?? `method ${entry.method}`;
      yield refused(label, `is packed with ${method}, which browsers do not read: unpack ${name} first`);
    } else {
      const cut = await cutZip(blob, entry);
      if (cut === null) yield refused(label, `is not where ${name} says: the archive is damaged`);
      else {
        const part = { name: label, blob: cut, steps: entry.method === DEFLATED ? ["deflate-raw"] : [] };
        yield judged(part, await beginningOf(part));
      }
    }
  }
}

async function judged({ name, blob, steps }, head) {
  const magic = hex(head);
  if (magic.startsWith("1f8b")) {
    const part = { name, blob, steps: [...steps, "gzip"] };
    return { ...part, why: isText(await beginningOf(part)) ? null : NO_TEXT };
  }
  const other = OTHERS.get(magic) ?? OTHERS.get(magic.slice(0, 6));
  const why = other ? `is packed with ${other}, which browsers do not read: unpack it first` : isText(head) ? null : NO_TEXT;
  return { name, blob, steps, why };
}

// The first bytes of what is inside; fewer when it cannot be unpacked, which is said when it is read.
async function beginningOf({ name, blob, steps }) {
  const start = steps.length ? blob : blob.slice(0, JUDGED);
  const head = [];
  try {
    for await (const chunk of unpack({ name, blob: start, steps })) {
      head.push(...chunk.subarray(0, JUDGED - head.length));
      if (head.length >= JUDGED) break;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return head;
}

function hex(head) {
  return head.slice(0, 4).map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Text holds no zero byte, but for UTF-16, which begins with a mark, and a log that begins with a hole where it was cut.
function isText(head) {
  const marked = head.length > 1 && head[0] + head[1] === 0xff + 0xfe;
  return marked || !head.includes(0) || head.every((byte) => byte === 0);
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
        throw new Refusal(`There are more than ${sayMost(this.most)} to read once unpacked. The command line has no limit.`);
      }
      yield chunk;
    }
  }
}

function sayMost(bytes) {
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
