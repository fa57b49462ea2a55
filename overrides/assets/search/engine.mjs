// A query and the index of generator/search.py -> ranked entries. Fetches only the parts that the query needs.

import { mayBeALine, recognise } from "./signature.mjs";
import { byCode, phraseOf, termsOf } from "./tokens.mjs";

const MOST_TERMS = 16; // of a long line, the most telling ones
const MOST_LINES = 8; // of a pasted text, those that look like errors
const RESULTS = 10;
const RECOGNISED_AMONG = 6; // of the best results, whose signatures are looked at
const ERROR_LINE = /error|exception|fail|abort|fatal|killed|xid|assert|signal|warn|timeout|timed out|nan|\bOOM\b/i;

export class SearchEngine {
  // base: the parsed first file; read(name): a promise of a parsed further file.
  constructor(base, read) {
    this.base = base;
    this.read = read;
    this.parts = new Map();
  }

  // Return the best entries for a typed query or a pasted text: [{title, address, summary, status, score, signature}].
  // One whose signature recognises a line of it comes first.
  async search(text, { typing = false } = {}) {
    const scores = new Map();
    for (const line of queryLines(text)) {
      for (const [entry, score] of await this.score(line, typing)) {
        scores.set(entry, Math.max(score, scores.get(entry) ?? 0));
      }
    }
    const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const best = ranked.filter(([, score]) => score > 0.2 * ranked[0][1]).slice(0, RESULTS);
    const shown = await Promise.all(best.map(([entry, score]) => this.shown(entry, score)));
    return this.recognisedFirst(shown, queryLines(text).filter(mayBeALine));
  }

  async recognisedFirst(shown, lines) {
    if (lines.length === 0) return shown;
    await Promise.all(shown.slice(0, RECOGNISED_AMONG).map(async (result) => {
      result.signature = recognise(await this.signatures(result.address), lines);
    }));
    const rank = ({ signature }) => signature?.rank ?? Infinity;
    return shown.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))); // equals keep their order
  }

  // The signatures of an entry; of one without any there is no file, and offline none can be had.
  signatures(address) {
    const name = `signatures/${address.split("/").at(-1)}.json`;
    if (!this.parts.has(name)) this.parts.set(name, this.read(name).catch(() => (this.parts.delete(name), [])));
    return this.parts.get(name);
  }

  async score(line, typing) {
    const terms = this.telling(termsOf(line));
    if (terms.length === 0) return new Map();
    const phrase = phraseOf(line);
    const last = typing && /\w$/.test(line) ? terms.at(-1) : null;
    const shards = await Promise.all([...terms, phrase].map((term) => this.shard(term)));
    const alternatives = await Promise.all(terms.map((term, i) => this.alternatives(term, shards[i], term === last)));
    const scores = new Map();
    let possible = 0;
    terms.forEach((term, i) => {
      const matches = alternatives[i];
      const rarest = Math.max(0, ...matches.map((match) => this.rarity(match.where) * match.nearness));
      const worth = matches.length ? rarest : 0.5 * Math.log(1 + this.base.entries);
      possible += worth;
      for (const [entry, gain] of this.gains(matches)) {
        const sum = scores.get(entry) ?? { gain: 0, covered: 0 };
        sum.gain += gain.score;
        sum.covered += Math.min(worth, gain.covered);
        scores.set(entry, sum);
      }
    });
    const exact = new Map(postings(shards.at(-1).get(phrase) ?? []));
    const total = new Map();
    for (const [entry, { gain, covered }] of scores) {
      const share = possible > 0 ? covered / possible : 0;
      total.set(entry, gain * (0.2 + 0.8 * share * share) * (exact.has(entry) ? 3 : 1));
    }
    return total;
  }

  // The terms of the index that a query's term stands for; two of them when it is two words run together.
  async alternatives(term, shard, unfinished) {
    const found = matchesOf(term, shard, unfinished);
    if (found.length) return found;
    if (term.length < 6 || !/^[a-z]+$/.test(term)) return misspelt(term, shard);
    for (let cut = 2; cut <= term.length - 2; cut++) {
      const [left, right] = [term.slice(0, cut), term.slice(cut)];
      const first = shard.get(left);
      const second = first && (await this.shard(right)).get(right);
      if (second) return [first, second].map((where) => ({ where, nearness: 0.8 }));
    }
    return misspelt(term, shard);
  }

  // The best gain of each entry over the variants of one term.
  gains(matches) {
    const best = new Map();
    for (const { where, nearness } of matches) {
      const rarity = this.rarity(where) * nearness;
      for (const [entry, weight] of postings(where)) {
        const score = rarity * (0.4 + weight / 9);
        if (score > (best.get(entry)?.score ?? 0)) best.set(entry, { score, covered: rarity });
      }
    }
    return best;
  }

  rarity(where) {
    return Math.log(1 + this.base.entries / (where.length / 2));
  }

  // Of many terms keep those that can choose: not the common ones, the longer first.
  telling(terms) {
    if (terms.length <= 6) return terms;
    const common = new Set(this.base.common);
    const rare = terms.filter((term) => !common.has(term));
    return rare
      .map((term, place) => ({ term, place }))
      .sort((a, b) => Math.min(b.term.length, 12) - Math.min(a.term.length, 12) || a.place - b.place)
      .slice(0, MOST_TERMS)
      .sort((a, b) => a.place - b.place)
      .map(({ term }) => term);
  }

  // The part of the index in which a term stands, if anywhere: a Map from term to postings.
  async shard(term) {
    let at = this.base.first.findLastIndex((first) => byCode(first, term) <= 0);
    if (at < 0) at = 0;
    return this.part("t" + at, () => this.base.shards?.[at], (terms) => new Map(Object.entries(terms)));
  }

  async shown(entry, score) {
    const at = Math.floor(entry / this.base.block);
    const block = await this.part("e" + at, () => this.base.blocks?.[at], (rows) => rows);
    const [title, address, summary, status] = block[entry % this.base.block];
    return { title, address, summary, status, score };
  }

  part(name, inline, convert) {
    if (!this.parts.has(name)) {
      const given = inline();
      const raw = given === undefined ? this.read(`${this.base.folder}/${name}.json`) : Promise.resolve(given);
      this.parts.set(name, raw.then(convert));
      raw.catch(() => this.parts.delete(name)); // offline for a moment: the next query may try again
    }
    return this.parts.get(name);
  }
}

// Of a pasted text, the lines to look up: those that look like errors, the last first; of one line, itself.
export function queryLines(text) {
  const lines = [...new Set(text.split(/[\r\n]+/).map((line) => line.trim().slice(0, 1000)).filter(Boolean))];
  if (lines.length <= 2) return lines;
  const telling = lines.filter((line) => ERROR_LINE.test(line));
  return (telling.length ? telling : lines).slice(-MOST_LINES);
}

function* postings(where) {
  let entry = 0;
  for (let i = 0; i < where.length; i += 2) {
    entry += where[i];
    yield [entry, where[i + 1]];
  }
}

// The terms of a shard that a query's term stands for: itself, or longer ones.
function matchesOf(term, shard, unfinished) {
  const exact = shard.get(term);
  const found = exact ? [{ where: exact, nearness: 1 }] : [];
  if (exact && !unfinished) return found;
  const longer = [];
  if (term.length > 1) {
    for (const [other, where] of shard) {
      if (other !== term && other.startsWith(term) && other.length <= term.length + 12) longer.push({ where, nearness: 0.7 });
    }
  }
  return [...found, ...longer.slice(0, 12)];
}

// The terms of a shard closest to one that is in no entry.
function misspelt(term, shard) {
  const most = term.length < 4 || /[0-9]/.test(term) ? 0 : term.length < 7 ? 1 : 2;
  if (most === 0) return [];
  const near = [];
  for (const [other, where] of shard) {
    if (other[0] === "=" || Math.abs(other.length - term.length) > most) continue;
    const distance = distanceOf(term, other, most);
    if (distance <= most) near.push({ where, nearness: distance === 1 ? 0.6 : 0.4, distance });
  }
  const closest = Math.min(...near.map((match) => match.distance));
  return near.filter((match) => match.distance === closest).slice(0, 8);
}

// Count insertions, deletions, replacements and swaps of neighbours between two words; more than `most` is most + 1.
export function distanceOf(a, b, most) {
  let before = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, previous] = [previous, row];
  }
  return previous[b.length];
}
