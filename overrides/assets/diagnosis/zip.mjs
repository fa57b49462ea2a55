// A zip archive -> its entries, each with the piece of the archive that holds it. Reads the directory at the end alone.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 65535;

// List the entries of an archive, [{name, method, encrypted, stored, size, offset}]; null when it has no directory that can be read.
export async function listZip(blob) {
  const tail = await viewOf(blob, blob.size - END_SIZE - LONGEST_COMMENT, blob.size);
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return null;
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (start + size > blob.size) return null; // damaged, or of the larger form that no log needs
  const directory = await viewOf(blob, start, start + size);
  const entries = [];
  for (let at = 0; at + ENTRY_SIZE <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== ENTRY) return null;
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.getUint16(at + place, true));
    if (at + ENTRY_SIZE + name > directory.byteLength) return null;
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(directory.buffer, at + ENTRY_SIZE, name)),
      method: directory.getUint16(at + 10, true),
      encrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      stored: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      offset: directory.getUint32(at + 42, true),
    });
    at += ENTRY_SIZE + name + extra + comment;
  }
  return entries;
}

// Return the bytes of one entry as the archive holds them.
export async function cutZip(blob, entry) {
  const head = await viewOf(blob, entry.offset, entry.offset + LOCAL_SIZE);
  if (head.byteLength < LOCAL_SIZE) return null;
  const start = entry.offset + LOCAL_SIZE + head.getUint16(26, true) + head.getUint16(28, true);
  return blob.slice(start, start + entry.stored);
}

async function viewOf(blob, start, end) {
  return new DataView(await blob.slice(Math.max(0, start), end).arrayBuffer());
}
