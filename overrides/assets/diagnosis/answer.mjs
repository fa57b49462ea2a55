// Verdicts -> the answer: who, what and why apart, then echoes, gaps, one missing fact, one next action.
// Twin: generator/diagnosis/answer.py. The keys are always there, in the order of schema/diagnosis.schema.json.

import { isFolded, missingFact, ranksText, whatStatus } from "./asking.mjs";
import { isOwnCode } from "./records.mjs";
import { ascending, clip, compareTexts } from "./text.mjs";

const DIAGNOSIS_VERSION = 1;
const MOST_TEXT = 500; // characters of a line that an answer repeats
const MOST_EVIDENCE = 3;
const MOST_ENTRIES = 5;

// Put the answer together; attempts are [scene, verdict], and the last one is judged.
export function answer(attempts, names, gaps, index) {
  const [scene, verdict] = attempts.at(-1);
  const teller = new Teller(scene, verdict, names, index);
  const entries = teller.entries();
  const who = teller.who();
  const runnerUp = teller.runnerUp(entries);
  return {
    diagnosis_version: DIAGNOSIS_VERSION,
    index: { version: 1, hash: index.hash },
    outcome: verdict.outcome,
    who,
    what: { status: whatStatus(verdict, entries), entries, runner_up: runnerUp },
    why: teller.why(entries),
    unclassified: teller.unclassified(),
    collateral: teller.collateral(),
    secondary: teller.secondary(entries),
    notices: teller.notices(),
    attempts: attempts.map(([{ lines }, judged]) => attemptOf(lines, judged)),
    gaps: [...gaps, ...teller.gaps()],
    missing_fact: missingFact(scene, verdict, who, entries, runnerUp),
    next_action: entries.length ? teller.card(entries).nextAction : null,
    verify: teller.verify(entries),
  };
}

// Write a diagnosis as the twin does: one line of JSON; JSON.stringify refuses a rank that no number holds exactly.
export function toText(part) {
  if (typeof part === "bigint") return String(part);
  if (part === null || typeof part !== "object") return JSON.stringify(part);
  if (Array.isArray(part)) return `[${part.map(toText).join()}]`;
  return `{${Object.entries(part).map(([key, value]) => `${JSON.stringify(key)}:${toText(value)}`).join()}}`;
}

function attemptOf(lines, { outcome, causes }) {
  const first = lines.reduce((least, line) => Math.min(least, line.number), lines[0]?.number ?? 0);
  const last = lines.reduce((most, line) => Math.max(most, line.number), 0);
  const slug = causes.find((event) => event.slug !== null)?.slug ?? null;
  return { first_line: first, last_line: last, outcome, slug };
}

// Says what one verdict means, with the lines that show it.
class Teller {
  constructor(scene, verdict, names, index) {
    this.scene = scene;
    this.verdict = verdict;
    this.names = names;
    this.index = index;
  }

  // The card of the first entry.
  card(entries) {
    return this.index.cards.get(entries[0].slug);
  }

  evidence(line) {
    return { file: this.names[line.file], line: line.number, text: clip(line.text, MOST_TEXT) };
  }

  who() {
    const { verdict } = this;
    const { byPid, byLocal } = this.scene.world;
    const ranks = new Set(verdict.ranks);
    const ended = this.scene.told.exits.filter((ending) => ending.rank !== null && ranks.has(ending.rank));
    const ofRanks = (names) => [...names].filter(([, rank]) => ranks.has(rank)).map(([name]) => name);
    const told = (name) => ended.map((ending) => ending[name]).filter((value) => value !== null);
    const pids = [...ofRanks(byPid), ...told("pid").filter((pid) => pid !== "0")];
    const hosts = told("host");
    const witness = this.witness();
    if (verdict.witness !== null && ranks.has(verdict.witness.rank) && witness.labels.has("host")) {
      hosts.push(witness.labels.get("host"));
    }
    return {
      status: verdict.whoStatus,
      ranks: verdict.ranks,
      local_ranks: [...new Set([...told("local"), ...ofRanks(byLocal)].map(Number))].sort(ascending),
      hosts: [...new Set(hosts)].sort(compareTexts),
      pids: [...new Set(pids)].map(Number).sort(ascending),
      file: witness === null ? null : this.names[witness.file],
      line: witness === null ? null : witness.number,
      time: witness?.stamp ?? told("time")[0] ?? null,
      all_ranks: verdict.allRanks,
    };
  }

  witness() {
    const { witness, unclassified, causes, ended } = this.verdict;
    return (witness ?? unclassified ?? causes[0] ?? ended)?.line ?? null;
  }

  // Name the entries, best first, each once, with the lines that lead to it.
  entries() {
    const told = new Map();
    for (const event of this.verdict.causes) {
      if (event.slug === null) continue;
      for (const [card, share] of this.sharers(event)) {
        const proved = this.proved(event, share);
        if (proved !== null) this.tell(told, card, event, proved);
      }
      this.tell(told, this.index.cards.get(event.slug), event, this.reason(event));
    }
    return [...told.values()].slice(0, MOST_ENTRIES);
  }

  sharers({ rule }) {
    return (rule === null ? undefined : this.index.sharers.get(rule.id)) ?? [];
  }

  // Return why another entry's failure is meant; null unless something shows it.
  proved(event, { facts, requires, when }) {
    if (facts.length === 0 && requires.length === 0) return null;
    const proving = facts.find((fact) => fact.holds(event.captures));
    if ((facts.length > 0 && proving === undefined) || !this.scene.matcher.meets(event, requires)) return null;
    return proving === undefined ? when : proving.say;
  }

  reason({ rank, role, rule, slug }) {
    const whose = rank === null ? "" : ` of rank ${rank}`;
    if (rule === null) return `The readings${whose} turn at this line, and stay so.`;
    const first = this.verdict.causes[0].slug === slug;
    const weak = first ? "For want of a line that says more, the line" : "Only if the first does not hold: the line";
    return `${role === "either" ? weak : "The line"}${whose} is its signature ${rule.id}.`;
  }

  tell(told, { id, slug, title, url, status }, event, because) {
    if (!told.has(slug)) {
      const signature = event.rule?.id ?? "";
      told.set(slug, { id, slug, title, url, status, signature, role: event.role, because, evidence: [] });
    }
    const { evidence } = told.get(slug);
    const shown = this.evidence(event.line);
    const same = ({ file, line, text }) => file === shown.file && line === shown.line && text === shown.text;
    if (evidence.length < MOST_EVIDENCE && !evidence.some(same)) evidence.push(shown);
  }

  // Name the next best entry with what tells it from the first.
  runnerUp(entries) {
    if (entries.length === 0) return null;
    const { looksLike } = this.card(entries);
    const shared = this.verdict.causes.slice(0, 1).flatMap((event) => this.sharers(event).map(([{ slug }]) => slug));
    const others = [...entries.slice(1), ...this.verdict.secondary].map(({ slug }) => slug);
    others.splice(entries.length - 1, 0, ...shared);
    const slug = others.find((other) => looksLike.has(other));
    return slug === undefined ? null : { slug, discriminator: looksLike.get(slug) };
  }

  // Say what the captured numbers prove, and where the job's own code stood.
  why(entries) {
    const told = new Map();
    const slugs = new Set(entries.map((entry) => entry.slug));
    const first = this.verdict.causes[0]?.slug;
    for (const event of this.verdict.causes) {
      if (event.rule === null || event.slug !== first) continue;
      const facts = slugs.has(event.rule.slug) ? [...event.rule.facts] : [];
      for (const [card, share] of this.sharers(event)) if (slugs.has(card.slug)) facts.push(...share.facts);
      for (const { id, say } of facts.filter((fact) => fact.holds(event.captures))) {
        if (!told.has(id)) told.set(id, { fact: id, says: say, evidence: [this.evidence(event.line)] });
      }
    }
    const blind = this.verdict.unclassified;
    const raised = blind?.record?.chain.find((one) => one.line === blind.line);
    const frame = raised?.frames.findLast(([file]) => isOwnCode(file));
    if (frame !== undefined) {
      const place = frame[1] ? `, line ${frame[1]}` : "";
      const says = `The job's own code stood at ${frame[0]}${place}.`;
      told.set("raised-at", { fact: "raised-at", says, evidence: [this.evidence(blind.line)] });
    }
    return [...told.values()];
  }

  // Give the exception that no entry knows.
  unclassified() {
    const event = this.verdict.unclassified;
    if (event === null || event.exception === null) return null;
    const [exception, text] = event.exception;
    return { exception, text: clip(text, MOST_TEXT), file: this.names[event.line.file], line: event.line.number };
  }

  // Group the echoes by what they are.
  collateral() {
    const groups = new Map();
    for (const event of this.verdict.collateral) {
      const kind = event.slug ?? "";
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push(event);
    }
    const place = ({ line }) => ({ file: this.names[line.file], line: line.number });
    const sorted = [...groups].sort(([a], [b]) => compareTexts(a, b));
    return sorted.map(([kind, events]) => ({
      kind,
      ranks: [...new Set(events.map((event) => event.rank).filter((rank) => rank !== null))].sort(ascending),
      count: events.length,
      first: place(events[0]),
      last: place(events.at(-1)),
    }));
  }

  // Name failures that are there too, but did not start it.
  secondary(entries) {
    const named = new Set(entries.map((entry) => entry.slug));
    return this.noted(this.verdict.secondary, named, () => "It is there too, but did not start the failure.");
  }

  // Name what looks bad and is not, and what the program survived.
  notices() {
    const reason = ({ role }) => (role === "benign" ? "Harmless." : "The program went on after it.");
    return this.noted(this.verdict.notices, new Set(), reason).map(({ slug, because, evidence }) => {
      return { slug, title: this.index.cards.get(slug).title, because, evidence };
    });
  }

  noted(events, named, reason) {
    const told = new Map();
    for (const event of events) {
      const { slug } = event;
      if (slug === null || named.has(slug)) continue;
      if (!told.has(slug)) told.set(slug, { slug, because: reason(event), evidence: [] });
      const { evidence } = told.get(slug);
      if (evidence.length < MOST_EVIDENCE) evidence.push(this.evidence(event.line));
    }
    return [...told.values()];
  }

  // Say which ranks are not in the log.
  gaps() {
    const { seen, world, records } = this.scene;
    const silent = Array.from({ length: world.size ?? 0 }, (_, rank) => rank).filter((rank) => !seen.has(rank));
    const told = [];
    if (silent.length > 0 && this.verdict.outcome === "failed") {
      told.push(`Nothing in the log is from ${ranksText(silent)} of ${world.size}.`);
    }
    if (records.some((record) => record.open)) told.push("The log ends, or is broken off, inside a traceback.");
    if (isFolded(this.scene)) told.push("Ray has folded equal lines of different workers into one.");
    if (world.contradictory) {
      told.push("The log gives one process several ranks; what it says of processes was left out.");
    }
    return told;
  }

  // Say how to see that the next action helped.
  verify(entries) {
    const verify = entries.length ? this.card(entries).verify : null;
    return verify === null ? null : { command: verify.command, expect: verify.expect };
  }
}
