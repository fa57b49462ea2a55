// Lines and rules -> events: which signature stands on which line, said by whom. Twin: generator/diagnosis/match.py.

import { readIndex } from "./index.mjs";
import { isNumberedCode, withoutStrings } from "./quoted.mjs";
import { codeOf } from "./records.mjs";
import { compareNumbers, isShorter } from "./text.mjs";

const WRAPPERS = [
  "ChildFailedError", "ProcessRaisedException", "ProcessExitedException", "RayTaskError", "CalledProcessError",
  "SignalException", "KeyboardInterrupt", "SystemExit", "RendezvousClosedError", "RendezvousGracefulExitError",
]; // exceptions that launchers raise about others
const COLLECTIVE = ["torch/distributed/distributed_c10d.py", "torch/distributed/c10d_logger.py"]; // where a rank waits
const WRAPPING = ["torch/distributed/", "torch/nn/parallel/distributed.py"]; // telling only as the innermost frame
const OF_TRANSPORT = /^\[[^\]\n]{0,300}\/gloo\/[A-Za-z0-9_/]{0,100}\./u; // it carries tensors and speaks of a peer
const RANK_TOLD = /(?:^|[^A-Za-z_])[Rr]ank[ :=#]{0,2}([0-9]{1,6})(?![0-9])/gu;
const SPECIFIC = new Map([["unique", 2], ["shared", 1], ["generic", 0]]);
const RANKING = ["confirmation", "external", "cause", "accusation", "either", "collateral", "advice", "benign"];
const MOST_LINES_MATCHED = 400; // of a pasted text
const MOST_RANKS = 1_000_000n; // a number beyond it is no rank
const LEAST = 8; // characters of a line that can say something

// Whether a captured value can be a rank.
export function isRank(value) {
  return typeof value === "bigint" && 0n <= value && value < MOST_RANKS;
}

// Something that a line says, in the light of a rule; or an exception, or a detector's finding, without one.
export class Event {
  constructor({ line, rule = null, role, rank, captures = new Map(), record = null, exception = null, card = null }) {
    Object.assign(this, { line, rule, role, rank, captures, record, exception, card });
  }

  // The entry that owns the rule, or the detector.
  get slug() {
    return this.rule === null ? this.card : this.rule.slug;
  }

  // 2 for a unique message, 1 for one that a few failures print, 0 for a generic one or none.
  get specificity() {
    if (this.rule === null) return this.card === null ? 0 : 1;
    return Math.max(SPECIFIC.get(this.rule.specificity), this.rule.requires.length > 0 ? 1 : 0);
  }

  // Whether it is an exception that the program may have handled.
  get mayBeSurvived() {
    const { record, role } = this;
    return record !== null && !record.hooked && !record.inSummary && role !== "benign" && role !== "advice";
  }

  // What makes events of several ranks the same: the rule, or the exception without its numbers.
  get message() {
    if (this.rule !== null) return this.rule.id;
    return masked((this.exception ?? [this.card ?? ""]).join(": "));
  }
}

// Order events, or lines, by their file and line.
export function byPlace(a, b) {
  const [one, other] = [a.line ?? a, b.line ?? b];
  return one.file - other.file || one.number - other.number;
}

// The lines of one attempt with what the rules find in them.
export class Matcher {
  constructor(lines, records, told, world, index) {
    this.lines = lines;
    this.world = world;
    this.index = index;
    this.ofLine = new Map(records.flatMap((record) => record.lines.map((line) => [line, record])));
    this.ofWording = new Map();
    const code = new Set(records.flatMap(codeOf));
    const found = lines
      .filter((line) => !isNumberedCode(line.body))
      .flatMap((line) => [...this.on(line, told, code.has(line))]);
    this.byRule = new Map();
    for (const event of found) {
      if (!this.byRule.has(event.rule.id)) this.byRule.set(event.rule.id, []);
      this.byRule.get(event.rule.id).push(event.line);
    }
    const kept = found.filter((event) => this.stands(event));
    this.events = [...kept, ...unknownIn(records, kept)].sort(byPlace);
  }

  // Whether every neighbouring line stands where it is required.
  meets(event, neighbours) {
    return neighbours.every((neighbour) => this.near(event, neighbour));
  }

  stands(event) {
    const { requires, absent } = event.rule;
    return this.meets(event, requires) && !absent.some((neighbour) => this.near(event, neighbour));
  }

  *on(line, told, isCode) {
    const tabled = told.tabled.get(line);
    const record = this.ofLine.get(line) ?? null;
    for (const { rule, captures } of saidOn(line.text, this.index, isCode)) {
      const rank = (tabled === undefined ? this.rankOf(line, rule, captures) : tabled.rank) ?? record?.rank ?? null;
      const stopped = tabled !== undefined && [-15, 143].includes(tabled.code);
      const raised = record?.chain.find((one) => one.line === line);
      const exception = raised === undefined ? null : [raised.type, raised.text];
      const role = stopped ? "collateral" : rule.role;
      yield new Event({ line, rule, role, rank, captures, record, exception });
    }
  }

  // Say whose failure a line is about: who wrote it, or who a launcher's or kernel's line names.
  rankOf(line, rule, captures) {
    if (line.rank !== null && rule.where !== "launcher") return line.rank;
    const pid = captures.get("pid");
    if (isScalar(pid) && this.world.byPid.has(String(pid))) return this.world.byPid.get(String(pid));
    for (const name of ["rank", "task"]) {
      const value = captures.get(name);
      if (isRank(value) && rule.role !== "accusation") return Number(value);
    }
    const local = captures.get("local_rank");
    if (local !== undefined) return (isScalar(local) && this.world.byLocal.get(String(local))) ?? null;
    return line.rank;
  }

  near(event, neighbour) {
    return this.found(neighbour).some((line) => this.isNear(event, line, neighbour));
  }

  found({ signature, wording }) {
    if (signature !== null) return this.byRule.get(signature) ?? [];
    if (wording === null) return [];
    if (!this.ofWording.has(wording)) {
      this.ofWording.set(wording, this.lines.filter((line) => wording.match(line.text) !== null));
    }
    return this.ofWording.get(wording);
  }

  isNear(event, line, { scope, order, lines }) {
    const here = event.line;
    if (!this.inScope(here, line, scope)) return false;
    if (lines !== null && (line.file !== here.file || Math.abs(line.number - here.number) > lines)) return false;
    if (order === "before") return byPlace(line, here) < 0;
    if (order === "after") return byPlace(line, here) > 0;
    return true;
  }

  inScope(here, line, scope) {
    if (scope === "record") {
      const record = this.ofLine.get(here);
      return line === here || (record !== undefined && this.ofLine.get(line) === record);
    }
    if (scope === "stream") return line.file === here.file;
    return scope !== "rank" || line.rank === here.rank;
  }
}

// Return the entries whose signatures stand on the lines of a pasted text, each once with its first line, the best first:
// [{id, slug, url, title, signature, line}]. index is its parsed JSON.
export function matchLine(index, text) {
  const known = readIndex(index);
  const found = new Map();
  const lines = text.split(/[\r\n]+/u).map((line) => line.replace(/\s+/gu, " ").trim()).slice(0, MOST_LINES_MATCHED);
  for (const line of lines) {
    for (const { rule } of saidOn(line, known)) {
      const order = [RANKING.indexOf(rule.role), -SPECIFIC.get(rule.specificity)];
      if (!(compareNumbers(found.get(rule.slug)?.order ?? [Infinity], order) > 0)) continue;
      const { id, slug, url, title } = known.cards.get(rule.slug);
      found.set(slug, { order, told: { id, slug, url, title, signature: rule.id, line } });
    }
  }
  return [...found.values()].sort((a, b) => compareNumbers(a.order, b.order)).map(({ told }) => told);
}

// Find the rules that fit a line; where it is harmless, only those that say so.
function saidOn(text, index, isCode = false) {
  if (isShorter(text, LEAST)) return [];
  const found = index.match(isCode ? withoutStrings(text) : text);
  const harmless = found.filter(({ rule }) => rule.role === "benign");
  return harmless.length > 0 ? harmless : found;
}

// Yield an event for each record of which no signature says what it is.
function* unknownIn(records, events) {
  const known = new Map();
  for (const event of events) {
    if (event.record === null || ["advice", "benign", "confirmation"].includes(event.role)) continue;
    if (!known.has(event.record)) known.set(event.record, []);
    known.get(event.record).push(event);
  }
  for (const record of records) {
    const raised = record.chain.find(({ type }) => !isWrapper(type));
    if (raised === undefined || record.inSummary) continue;
    const said = known.get(record) ?? [];
    const alone = record.chain.length === 1;
    if (said.some((event) => event.role !== "collateral" || event.line === raised.line || alone)) continue;
    yield new Event({
      line: raised.line,
      role: mayBeEcho(raised, record) ? "either" : "cause",
      rank: record.rank,
      record,
      exception: [raised.type, raised.text],
    });
  }
}

function mayBeEcho(raised, record) {
  return record.torn || isWaitingForOthers(raised) || namesAnother(raised, record.rank);
}

// Whether an exception speaks of another rank than the one that raises it.
function namesAnother({ text }, own) {
  const told = [...text.matchAll(RANK_TOLD)].map(([, rank]) => Number(rank));
  return own !== null && told.length > 0 && !told.includes(own);
}

function isWaitingForOthers({ frames, text }) {
  if (OF_TRANSPORT.test(text)) return true;
  const files = frames.map(([file]) => file);
  const isIn = (file, parts) => parts.some((part) => file.includes(part));
  return files.some((file) => isIn(file, COLLECTIVE)) || files.slice(-1).some((file) => isIn(file, WRAPPING));
}

// Whether an exception is one that launchers raise about others.
export function isWrapper(name) {
  return WRAPPERS.includes(name.split(".").at(-1));
}

function isScalar(value) {
  return typeof value === "bigint" || typeof value === "string";
}

// Return a text without its numbers and addresses, so that the same message of several ranks is one.
export function masked(text) {
  return text.replace(/0x[0-9a-fA-F]+|[0-9]+/gu, "#");
}
