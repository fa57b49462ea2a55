// Lengths of codes -> what decodes them, with the constants of RFC 1951 and the checksum of RFC 1952.

// Says that packed bytes are not what a packer wrote.
export class Damaged extends Error {}

export const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
export const LENGTHS = { base: new Uint16Array(29), bits: new Uint8Array(29) };
export const DISTANCES = { base: new Uint16Array(30), bits: new Uint8Array(30) };
fillSteps(LENGTHS, 3, 4);
fillSteps(DISTANCES, 1, 2);
[LENGTHS.base[28], LENGTHS.bits[28]] = [258, 0];

// Each group of symbols has one extra bit more than the one before; the first two groups have none.
function fillSteps({ base, bits }, start, group) {
  for (let i = 0, at = start; i < base.length; i++) {
    base[i] = at;
    bits[i] = Math.max(0, Math.floor(i / group) - 1);
    at += 1 << bits[i];
  }
}

const FIXED_LITERALS = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
export const FIXED = [decoderOf(FIXED_LITERALS), decoderOf(new Uint8Array(32).fill(5))];

// Make a table from the next bits, lowest first, to symbol * 16 + bits of its code; 0 where no code stands.
// Throws Damaged when the lengths make no code: only one of a single symbol may leave codes unused.
export function decoderOf(lengths, mustBeFull = false) {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  const longest = counts.findLastIndex((count) => count > 0);
  if (longest < 1) return new Uint16Array(1);
  const next = new Uint16Array(16);
  let free = 1;
  for (let length = 1; length < 16; length++) {
    free = free * 2 - counts[length];
    if (free < 0) throw new Damaged();
    next[length] = (next[length - 1] + counts[length - 1]) << 1;
  }
  if (free > 0 && (mustBeFull || longest !== 1)) throw new Damaged();
  const table = new Uint16Array(1 << longest);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const step = 1 << length;
    for (let at = reversed(next[length]++, length); at < table.length; at += step) table[at] = symbol * 16 + length;
  });
  return table;
}

function reversed(code, length) {
  let turned = 0;
  for (let i = 0; i < length; i++) turned |= ((code >> i) & 1) << (length - 1 - i);
  return turned;
}

const SUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let i = 0; i < 8; i++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

// Carry a CRC-32 on over some bytes.
export function tally(sum, bytes, start, end) {
  let turned = ~sum;
  for (let i = start; i < end; i++) turned = (turned >>> 8) ^ SUMS[(turned ^ bytes[i]) & 255];
  return ~turned;
}
