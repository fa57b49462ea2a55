// The signature index as parsed JSON -> rules, shapes of lines, and what an entry says in an answer. Twin: generator/index.py.

import { Fact, Rule, readNeighbour } from "./rules.mjs";
import { compareTexts } from "./text.mjs";

export const SYNTAX = /[\^$\\.*+?()[\]{}|/]/gu; // characters of patterns
const INDEX_VERSION = 1;
const SHORTEST = 10; // bytes of a text that a whole log is searched for
const SHAPES = ["exits", "finishes", "maps", "prefixes", "progress", "restarts", "secrets", "summary", "times"];
const indexes = new WeakMap(); // parsed JSON to the index read from it, so that a page reads it once

// Read an index, once for each object; throws when it is of another version.
export function readIndex(raw) {
  if (!indexes.has(raw)) indexes.set(raw, new Index(raw));
  return indexes.get(raw);
}

export class Index {
  constructor(raw) {
    if (raw.index_version !== INDEX_VERSION) {
      throw new Error(`the index has version ${raw.index_version}, not ${INDEX_VERSION}`);
    }
    const lacking = SHAPES.filter((name) => !(name in raw.shapes));
    if (lacking.length > 0) throw new Error(`the index has no ${lacking.join(", ")}`);
    this.hash = raw.hash;
    this.marks = raw.marks;
    this.shapes = new Map(Object.entries(raw.shapes).map(([name, rows]) => [name, rows.map((row) => new LineShape(row))]));
    this.asks = new Map(Object.entries(raw.asks));
    this.phases = Object.entries(raw.phases ?? {}); // part of a frame's path and the phase it shows
    this.rules = raw.signatures.map((signature) => new Rule(signature));
    this.cards = new Map(raw.entries.map((entry) => [entry.slug, readCard(entry)]));
    this.byLiteral = new Map(); // text of a gate to the places of the rules that rely on it
    this.rules.forEach((rule, place) => {
      for (const text of rule.wordings.flatMap((wording) => wording.gate)) {
        if (!this.byLiteral.has(text)) this.byLiteral.set(text, new Set());
        this.byLiteral.get(text).add(place);
      }
    });
    const escaped = [...this.byLiteral.keys()].map((text) => text.replace(SYNTAX, "\\$&"));
    this.anyLiteral = new RegExp(escaped.join("|"), "u"); // most lines hold none
    this.sharers = new Map(); // signature to the other entries whose failure it can also mean
    for (const card of this.cards.values()) {
      for (const share of card.shares) {
        if (!this.sharers.has(share.signature)) this.sharers.set(share.signature, []);
        this.sharers.get(share.signature).push([card, share]);
      }
    }
  }

  // Return every rule that recognises a line, in the index's order, with what it captures: [{rule, captures}].
  match(line) {
    if (!this.anyLiteral.test(line)) return [];
    const places = new Set();
    for (const [text, relying] of this.byLiteral) if (line.includes(text)) relying.forEach((place) => places.add(place));
    const found = [];
    for (const place of [...places].sort((a, b) => a - b)) {
      const rule = this.rules[place];
      const captures = rule.match(line);
      if (captures !== null) found.push({ rule, captures });
    }
    return found;
  }

  // The texts for which a log is searched: those of every rule, and the marks; a short one would slow the search for all.
  get literals() {
    const neighbours = this.rules.flatMap((rule) => [...rule.requires, ...rule.absent]);
    for (const card of this.cards.values()) neighbours.push(...card.shares.flatMap((share) => share.requires));
    const wordings = this.rules.flatMap((rule) => rule.wordings);
    wordings.push(...neighbours.map((neighbour) => neighbour.wording).filter((wording) => wording !== null));
    const texts = new Set([...this.marks, ...wordings.flatMap((wording) => wording.gate)]);
    return [...texts].filter((text) => new TextEncoder().encode(text).length >= SHORTEST).sort(compareTexts);
  }
}

// A shape of text with the names of its groups.
export class LineShape {
  constructor({ id, pattern, needs, gives }) {
    this.id = id;
    this.needs = needs; // texts of which every match holds one
    this.gives = gives;
    this.pattern = new RegExp(pattern, "u");
    this.atStart = new RegExp(pattern, "uy"); // what the twin's `match` does: a test at the first character alone
  }

  // Return what it finds in a text, with the texts of its groups as a Map; a group that took no part gives none.
  find(text) {
    if (this.needs.length && !this.needs.some((need) => text.includes(need))) return null;
    return this.named(this.pattern.exec(text));
  }

  // The same at the front of a text alone.
  findAtStart(text) {
    this.atStart.lastIndex = 0;
    return this.named(this.atStart.exec(text));
  }

  // Return the texts of its groups where it fits, or null.
  read(text) {
    return this.find(text)?.parts ?? null;
  }

  named(found) {
    if (found === null) return null;
    const parts = new Map();
    this.gives.forEach((name, i) => found[i + 1] !== undefined && parts.set(name, found[i + 1]));
    return { text: found[0], parts };
  }
}

function readCard(raw) {
  const shares = raw.shares.map((share) => ({
    signature: share.signature,
    when: share.when,
    requires: share.requires.map(readNeighbour),
    facts: share.facts.map((fact) => new Fact(fact)),
  }));
  return { ...raw, looksLike: new Map(Object.entries(raw.looks_like)), nextAction: raw.next_action, shares };
}
