// The rules of the signature index: what recognises a line, what must stand near it, what its numbers prove.
// Twin: generator/rules.py. A rule is applied to one line at a time and knows no other.

import { holds, meets } from "./conditions.mjs";
import { readValue } from "./values.mjs";

// One wording of a message.
class Wording {
  constructor({ gate, pattern, captures }) {
    this.gate = gate;
    this.pattern = new RegExp(pattern, "u");
    this.captures = captures;
  }

  // Return the named values that the first match captures, a Map, or null.
  match(line) {
    if (!this.gate.some((text) => line.includes(text))) return null;
    const found = this.pattern.exec(line);
    if (found === null) return null;
    const values = new Map();
    this.captures.forEach(({ name, kind }, i) => name !== null && values.set(name, readValue(kind, found[i + 1])));
    return values;
  }
}

// One signature.
export class Rule {
  constructor(raw) {
    this.id = raw.id;
    this.slug = raw.slug;
    this.role = raw.role;
    this.specificity = raw.specificity;
    this.where = raw.where;
    this.when = raw.when === null ? null : readCondition(raw.when);
    this.requires = raw.requires.map(readNeighbour);
    this.absent = raw.absent.map(readNeighbour);
    this.facts = raw.facts.map((fact) => new Fact(fact));
    this.wordings = raw.wordings.map((wording) => new Wording(wording));
  }

  // Return what the first wording that fits captures, if its condition holds; undecided is no.
  match(line) {
    for (const wording of this.wordings) {
      const captures = wording.match(line);
      if (captures !== null && (this.when === null || meets(this.when, captures) === true)) return captures;
    }
    return null;
  }
}

// Something that captured numbers prove.
export class Fact {
  constructor({ id, clauses, say }) {
    this.id = id;
    this.say = say;
    this.clauses = clauses.map(({ left, operator, right }) => ({ left: readSum(left), operator, right: readSum(right) }));
  }

  // Decide it; what was not captured leaves it unproved.
  holds(captures) {
    return this.clauses.every((clause) => holds(clause, captures) === true);
  }
}

// Read another line that must, or must not, be there.
export function readNeighbour(raw) {
  return { ...raw, wording: raw.wording === null ? null : new Wording(raw.wording) };
}

function readSum(parts) {
  return parts.map(({ sign, factors }) => ({ sign: BigInt(sign), factors: factors.map(readInteger) }));
}

// Return a Map from names to {min, max}, or to a list of accepted values; integers become BigInts.
function readCondition(raw) {
  return new Map(
    Object.entries(raw).map(([name, accepted]) => {
      if (Array.isArray(accepted)) return [name, accepted.map(readInteger)];
      return [name, { min: readInteger(accepted.min ?? null), max: readInteger(accepted.max ?? null) }];
    }),
  );
}

function readInteger(value) {
  return Number.isInteger(value) ? BigInt(value) : value;
}
