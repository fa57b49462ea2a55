// Decides conditions on captured values: true, false, or null where something was not captured. Integers are BigInts.

const OPERATORS = new Map([
  ["<", (a, b) => a < b],
  ["<=", (a, b) => a <= b],
  [">", (a, b) => a > b],
  [">=", (a, b) => a >= b],
  ["==", (a, b) => a === b],
  ["!=", (a, b) => a !== b],
]);

// Decide whether captured values meet a condition: a Map from names to {min, max}, or to a list of accepted values.
export function meets(condition, captures) {
  return allOf([...condition].map(([name, accepted]) => accepts(accepted, captures.get(name))));
}

// Decide two sums compared.
export function holds({ left, operator, right }, captures) {
  const names = [...left, ...right].flatMap((part) => part.factors).filter((factor) => typeof factor === "string");
  if (!names.every((name) => typeof captures.get(name) === "bigint")) return null;
  return OPERATORS.get(operator)(sumOf(left, captures), sumOf(right, captures));
}

function sumOf(parts, captures) {
  return parts.reduce((sum, { sign, factors }) => {
    const values = factors.map((factor) => (typeof factor === "string" ? captures.get(factor) : factor));
    return sum + values.reduce((product, value) => product * value, sign);
  }, 0n);
}

function accepts(accepted, value) {
  if (!Array.isArray(accepted)) {
    if (typeof value !== "bigint") return null;
    return (accepted.min === null || accepted.min <= value) && (accepted.max === null || value <= accepted.max);
  }
  const alike = accepted.filter((one) => typeof one === typeof value);
  return alike.length ? alike.includes(value) : null;
}

function allOf(answers) {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}
