// A zip archive -> its entries, each with the piece of the archive that holds it. Reads the directory at the end alone,
// where the sizes stand also when they follow an entry's bytes; the larger form, zip64, too.

const END = 0x06054b50;
const LARGE_END = 0x06064b50;
const LARGE_END_AT = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const LARGE_END_SIZE = 56;
const LARGE_END_AT_SIZE = 20;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 65535;
const LARGE_EXTRA = 1;
const ELSEWHERE = 0xffffffff; // the number stands in the larger form
const ENCRYPTED = 0x2041; // by a password, strongly, or the directory itself

// List the entries of an archive, [{name, method, encrypted, stored, size, offset}]; null when it has no directory that can be read.
export async function listZip(blob) {
  const tailAt = Math.max(0, blob.size - END_SIZE - LONGEST_COMMENT - LARGE_END_AT_SIZE);
  const tail = await viewOf(blob, tailAt, blob.size);
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return null;
  let [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const at = end - LARGE_END_AT_SIZE;
  if (at >= 0 && tail.getUint32(at, true) === LARGE_END_AT) {
    const place = large(tail, at + 8);
    const more = await viewOf(blob, place, place + LARGE_END_SIZE);
    if (more.byteLength < LARGE_END_SIZE || more.getUint32(0, true) !== LARGE_END) return null;
    [size, start] = [large(more, 40), large(more, 48)];
  }
  if (start + size > blob.size) return null;
  return entriesIn(await viewOf(blob, start, start + size));
}

// Return the bytes of one entry as the archive holds them; null when they are not there.
export async function cutZip(blob, entry) {
  const head = await viewOf(blob, entry.offset, entry.offset + LOCAL_SIZE);
  if (head.byteLength < LOCAL_SIZE || head.getUint32(0, true) !== LOCAL) return null;
  const start = entry.offset + LOCAL_SIZE + head.getUint16(26, true) + head.getUint16(28, true);
  return start + entry.stored > blob.size ? null : blob.slice(start, start + entry.stored);
}

function entriesIn(directory) {
  const entries = [];
  for (let at = 0; at < directory.byteLength; ) {
    if (at + ENTRY_SIZE > directory.byteLength || directory.getUint32(at, true) !== ENTRY) return null;
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.getUint16(at + place, true));
    const next = at + ENTRY_SIZE + name + extra + comment;
    if (next > directory.byteLength) return null;
    const numbers = numbersOf(directory, at, at + ENTRY_SIZE + name, extra);
    if (numbers === null) return null;
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(directory.buffer, at + ENTRY_SIZE, name)),
      method: directory.getUint16(at + 10, true),
      encrypted: (directory.getUint16(at + 8, true) & ENCRYPTED) !== 0,
      ...numbers,
    });
    at = next;
  }
  return entries;
}

// Read {size, stored, offset} of an entry; those too large for their place follow in an extra field, in this order.
function numbersOf(directory, at, extraAt, extraSize) {
  const found = [24, 20, 42].map((place) => directory.getUint32(at + place, true));
  let wanted = found.map((number, i) => (number === ELSEWHERE ? i : -1)).filter((i) => i >= 0);
  for (let field = extraAt; wanted.length && field + 4 <= extraAt + extraSize; ) {
    const [id, bytes] = [directory.getUint16(field, true), directory.getUint16(field + 2, true)];
    if (id === LARGE_EXTRA) {
      if (bytes < 8 * wanted.length || field + 4 + bytes > extraAt + extraSize) return null;
      wanted.forEach((i, place) => (found[i] = large(directory, field + 4 + 8 * place)));
      wanted = [];
    }
    field += 4 + bytes;
  }
  const [size, stored, offset] = found;
  return wanted.length ? null : { size, stored, offset };
}

function large(view, at) {
  return Number(view.getBigUint64(at, true));
}

async function viewOf(blob, start, end) {
  return new DataView(await blob.slice(start, end).arrayBuffer());
}
