// Verdicts -> the answer: who, what and why apart, then echoes, gaps, one missing fact, one next action.
// Twin: generator/diagnosis/answer.py. The keys are always there, in the order of schema/diagnosis.schema.json.

import { missingFact, whatStatus } from "./asking.mjs";
import { MOST_EVIDENCE, lacks, grouped, noticesOf, partCauses, secondaryOf } from "./beside.mjs";
import { isOwnCode } from "./records.mjs";
import { ascending, clip, compareTexts } from "./text.mjs";

const DIAGNOSIS_VERSION = 1;
const MOST_TEXT = 500; // characters of a line that an answer repeats
const MOST_ENTRIES = 5;

// Put the answer together; attempts are [scene, verdict], and the last one is judged.
export function answer(attempts, names, gaps, index) {
  const [scene, verdict] = attempts.at(-1);
  const teller = new Teller(scene, verdict, names, index);
  const entries = teller.entries();
  const who = teller.who();
  const runnerUp = teller.runnerUp(entries);
  const shown = (line) => teller.evidence(line);
  return {
    diagnosis_version: DIAGNOSIS_VERSION,
    index: { version: 1, hash: index.hash },
    outcome: verdict.outcome,
    who,
    what: { status: whatStatus(verdict, entries), entries, runner_up: runnerUp },
    why: teller.why(entries),
    unclassified: teller.unclassified(),
    collateral: grouped(teller.echoes, names),
    secondary: secondaryOf(verdict, entries, shown),
    notices: noticesOf(verdict, index, shown),
    attempts: attempts.map(([{ lines }, judged]) => attemptOf(lines, judged)),
    gaps: [...gaps, ...lacks(scene, verdict.outcome)],
    missing_fact: missingFact(scene, verdict, who, entries, runnerUp, names),
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
    Object.assign(this, partCauses(verdict)); // causes and echoes
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
    for (const event of this.causes) {
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

  // Name the next best entry with what tells it from the first; no echo, and none that the phase excludes.
  runnerUp(entries) {
    if (entries.length === 0) return null;
    const { looksLike } = this.card(entries);
    const [first] = this.causes;
    const phase = this.phase(first);
    const fitting = this.sharers(first).filter(([{ phases }]) => phase === null || !phases?.length || phases.includes(phase));
    const others = [...entries.slice(1), ...fitting.map(([card]) => card), ...this.verdict.secondary];
    const echoes = new Set(this.echoes.map((event) => event.slug));
    const found = others.find(({ slug }) => looksLike.has(slug) && !echoes.has(slug));
    return found === undefined ? null : { slug: found.slug, discriminator: looksLike.get(found.slug) };
  }

  // Return the phase that the frames of a traceback show, the innermost that shows one.
  phase({ record }) {
    const files = (record?.chain ?? []).flatMap(({ frames }) => frames.map(([file]) => file));
    for (const file of files.reverse()) {
      for (const [path, phase] of this.index.phases) if (file.includes(path)) return phase;
    }
    return null;
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
    const at = this.verdict.unclassified ?? this.causes[0] ?? null;
    const frame = at === null ? undefined : ownFrame(at);
    if (frame !== undefined) {
      const place = frame[1] ? `, line ${frame[1]}` : "";
      const says = `The job's own code stood at ${frame[0]}${place}.`;
      told.set("raised-at", { fact: "raised-at", says, evidence: [this.evidence(at.line)] });
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

  // Say how to see that the next action helped.
  verify(entries) {
    const verify = entries.length ? this.card(entries).verify : null;
    return verify === null ? null : { command: verify.command, expect: verify.expect };
  }
}

// Return file and line of the innermost frame of the job's own code, of the exception on an event's line.
function ownFrame({ record, line }) {
  const raised = (record?.chain ?? []).filter((one) => one.line === line);
  return raised.flatMap(({ frames }) => frames).findLast(([file]) => isOwnCode(file));
}
