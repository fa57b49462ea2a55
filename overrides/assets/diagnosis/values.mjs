// What the text of a placeholder becomes: an integer (bytes and milliseconds too), a text, or a shape; integers are BigInts.

const UNITS = new Map([["B", [1n, 1n]], ["bytes", [1n, 1n]]]);
[..."KMGT"].forEach((letter, i) => {
  UNITS.set(`${letter}B`, [1000n ** BigInt(i + 1), 1n]);
  UNITS.set(`${letter}iB`, [1024n ** BigInt(i + 1), 1n]);
});

const MILLISECONDS = new Map([
  ["ns", [1n, 1_000_000n]],
  ["us", [1n, 1_000n]],
  ["ms", [1n, 1n]],
  ["s", [1_000n, 1n]],
  ["seconds", [1_000n, 1n]],
  ["minutes", [60_000n, 1n]],
  ["hours", [3_600_000n, 1n]],
]);

const READERS = new Map([
  ["int", BigInt],
  ["bytes", readBytes],
  ["duration", readMilliseconds],
  ["shape", readDimensions],
  ["quoted", readQuoted],
]);

// Turn the text of a placeholder into its value; of a kind that has no reading, the text itself.
export function readValue(kind, text) {
  return (READERS.get(kind) ?? String)(text);
}

// Return an integer as a number; as a BigInt only where a number would not be exact.
export function exactNumber(integer) {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : BigInt(integer);
}

// Return the bytes of a size, half a byte rounded up.
export function readBytes(text) {
  return scaled(text, UNITS);
}

// Return the milliseconds of a duration, half a millisecond rounded up.
export function readMilliseconds(text) {
  return scaled(text, MILLISECONDS);
}

// Return the dimensions of a shape.
export function readDimensions(text) {
  return (text.match(/-?[0-9]+/gu) ?? []).map(BigInt);
}

// Return what stands between the quotes.
export function readQuoted(text) {
  return text.slice(1, -1);
}

function scaled(text, units) {
  const [, number, unit] = /^(.*?) *([A-Za-z]*)$/u.exec(text);
  const [, sign, whole, decimals = "", power = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/u.exec(number);
  const [many, each] = units.get(unit);
  const places = Number(power) - decimals.length;
  const [up, down] = places >= 0 ? [10n ** BigInt(places), 1n] : [1n, 10n ** BigInt(-places)];
  const numerator = BigInt(sign + whole + decimals) * up * many;
  const denominator = down * each;
  return floored(2n * numerator + denominator, 2n * denominator);
}

function floored(numerator, denominator) {
  const quotient = numerator / denominator; // cut towards zero
  return quotient * denominator > numerator ? quotient - 1n : quotient;
}
