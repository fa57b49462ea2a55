// Events of one attempt -> verdict: who started it and what it was, or that the log does not say. Twin: generator/diagnosis/decide.py.

import { blame, isWaiting } from "./blame.mjs";
import { streamOf } from "./labels.mjs";
import { isUnreadable } from "./lines.mjs";
import { byPlace } from "./match.mjs";
import { isRecord } from "./loggers.mjs";
import { compareNumbers, strip } from "./text.mjs";
import { NOTHING } from "./verdict.mjs";

const STOPPED = [0, -15, 143, -2, -1, null]; // exit codes of processes that a launcher stopped, or that ended well
const HANDLED = /[Rr]etry|will be retried|[Cc]aught|[Rr]ecovered|[Ff]alling back|[Ss]kipp/u;
const CLASS = new Map([["confirmation", 0], ["cause", 0], ["accusation", 1], ["either", 2]]);

// Judge an attempt; a scene is {lines, matcher, told, world, index, seen: the ranks that wrote something or were told of}.
export function decide(scene) {
  const { events } = scene.matcher;
  const recovered = survivedIn(scene);
  const live = events.filter((event) => !recovered.has(event));
  const ofRole = (role) => live.filter((event) => event.role === role);
  const [causes, accusations, eithers, collateral] = ["cause", "accusation", "either", "collateral"].map(ofRole);
  const notices = events.filter((event) => event.role === "benign" || recovered.has(event));
  const exits = scene.told.exits.filter(({ code }) => !STOPPED.includes(code));
  const external = externalEnd(live, causes, accusations, exits) ?? endedFromOutside(eithers, causes, exits, scene);
  if (external !== null) {
    const secondary = causes.filter((event) => byPlace(event, external) < 0);
    const witness = external;
    return { ...NOTHING, outcome: "cancelled", external, causes: [external], witness, collateral, notices, secondary };
  }
  const confirmed = live.filter((event) => event.role === "confirmation" && event.specificity === 2);
  const speaking = [...causes, ...accusations, ...deciding(eithers), ...confirmed];
  if (speaking.length === 0 && exits.length === 0) {
    const outcome = echoed(collateral, scene);
    if (outcome !== "failed") return { ...NOTHING, outcome, collateral, notices };
  }
  const telling = [...speaking, ...collateral];
  if (speaking.length > 0 && exits.length === 0 && !telling.some(isFinal) && wentOn(telling, scene)) {
    return { ...NOTHING, outcome: calm(scene), notices: [...notices, ...causes, ...eithers] };
  }
  const verdict = { ...NOTHING, outcome: "failed", collateral, notices };
  const suspects = { causes, accusations, eithers, confirmed, exits }; // what speaks, by what it can show
  blame(verdict, suspects, scene);
  findWhat(verdict, suspects, scene);
  if (exits.length && !verdict.witness && !verdict.causes.length && !verdict.unclassified && !verdict.ended) {
    [verdict.ended] = [...exits].sort((a, b) => a.line.file - b.line.file || a.line.number - b.line.number);
  }
  return verdict;
}

// Return the events that the program survived, and those that say the same once more.
function survivedIn(scene) {
  const { events } = scene.matcher;
  const spoken = new Spoken(scene);
  const survived = events.filter((event) => isRecovered(event, scene, spoken));
  const saying = (event) => `${streamOf(event.line)}\n${event.message}`;
  const again = new Set(survived.map(saying));
  return new Set([...survived, ...events.filter((event) => event.mayBeSurvived && again.has(saying(event)))]);
}

// Whether the program went on: a logged exception, or one without a process's end, with progress behind it.
function isRecovered(event, scene, spoken) {
  const { record } = event;
  if (record === null) return isHandled(event, scene);
  if (!event.mayBeSurvived) return false;
  if ((record.logged || event.rank === null) && progressed(event.line, scene)) return true;
  if (event.rank !== null && steppedOn(event.line, event.rank, scene)) return true;
  if (scene.told.exits.some(({ code }) => code !== 0 && code !== null)) return false;
  if (endedWell(event.line, scene)) return true;
  if (record.logged) return spoken.behind(record) || !record.givesUp;
  return event.rank === null && spoken.behind(record, { byLogger: true });
}

// Whether a logger's line says that the program copes with what it names, and it went on.
function isHandled({ line, role }, scene) {
  if (!["cause", "either"].includes(role) || !isRecord(line) || !HANDLED.test(line.text)) return false;
  const steps = scene.told.progress.map((step) => step.line);
  return steps.some(({ rank, number }) => rank === line.rank && number > line.number) || endedWell(line, scene) || isWhole(scene);
}

// Whether the job says somewhere that it came to its end, and no process ended otherwise.
function isWhole({ told }) {
  if (told.exits.some(({ code }) => code !== 0 && code !== null)) return false;
  return told.finishes.length > 0 || told.progress.some(({ step, total }) => step !== null && step === total);
}

// Whether the rank itself reports progress behind a line.
function steppedOn({ file, number }, rank, { told }) {
  return told.progress.some(({ line }) => line.rank === rank && line.file === file && line.number > number);
}

// Whether the job says, behind a line, that it came to its end.
function endedWell({ file, number }, { told }) {
  const last = told.progress.filter(({ step, total }) => step !== null && step === total).map(({ line }) => line);
  return [...last, ...told.finishes].some((end) => end.file === file && end.number > number);
}

// Where each process wrote its last: each question is worked out once for all lines.
class Spoken {
  constructor(scene) {
    this.scene = scene;
    this.last = new Map();
  }

  // Whether the process wrote more behind a traceback: an exception that ends it comes last.
  behind(record, { byLogger = false } = {}) {
    const last = record.lines.at(-1);
    const isNobody = record.givesUp && last.rank === null;
    const question = `${byLogger} ${isNobody}`;
    if (!this.last.has(question)) this.last.set(question, this.find(byLogger, isNobody));
    return (this.last.get(question).get(streamOf(last)) ?? 0) > last.number;
  }

  find(byLogger, isNobody) {
    const dying = isNobody ? lastWords(this.scene) : new Set();
    const isSpoken = (line) => strip(line.body) !== "" && !dying.has(line) && (!byLogger || isRecord(line));
    return new Map(this.scene.lines.filter(isSpoken).map((line) => [streamOf(line), line.number]));
  }
}

// Return the lines with which processes that nobody tells apart say that they give up.
function lastWords({ lines, records }) {
  const places = new Map(lines.map((line, place) => [line, place]));
  const found = new Set();
  for (const record of records.filter(({ givesUp }) => givesUp)) {
    const first = places.get(record.lines[0]);
    for (const line of [...lines.slice(Math.max(0, first - 1), first), ...record.lines]) found.add(line);
  }
  return found;
}

function progressed(line, scene) {
  const done = [...scene.told.progress.map((step) => step.line), ...scene.told.finishes];
  // A driver hands on what its workers wrote, late: that says nothing of the driver itself.
  const isOwn = ({ labels }) => line.labels.has("worker") || !labels.has("worker");
  const isOf = ({ rank }) => rank === null || rank === line.rank || line.rank === null;
  return done.some((one) => one.file === line.file && one.number > line.number && isOwn(one) && isOf(one));
}

// Whether work went on, or came to its end, behind every one of the events; what readings show holds to their end.
function wentOn(events, scene) {
  return events.every((event) => event.card === null && (progressed(event.line, scene) || endedWell(event.line, scene)));
}

function isFinal({ record }) {
  return record !== null && (record.hooked || record.inSummary);
}

function deciding(events) {
  return events.filter((event) => event.rule === null || event.specificity > 0 || event.exception !== null);
}

// Return the line with which somebody outside ended the job, unless the job had failed before it.
function externalEnd(live, causes, accusations, exits) {
  const found = live.filter((event) => event.role === "external");
  if (found.length === 0) return null;
  const timed = found.filter((event) => event.line.time !== null);
  const first = (timed.length ? timed : found).reduce((a, b) => (isEarlier(b, a) ? b : a));
  const before = [...causes, ...accusations].some((event) => precedes(event.line, first.line));
  const ended = exits.some((ending) => ending.code !== 1 && precedes(ending.line, first.line));
  return before || ended ? null : first;
}

function isEarlier(one, other) {
  return ((one.line.time ?? 0) - (other.line.time ?? 0) || byPlace(one, other)) < 0;
}

// Return a line that can mean an end from outside, where every process was stopped and nothing else is told.
function endedFromOutside(eithers, causes, exits, { index, told }) {
  const outside = new Set(index.rules.filter((rule) => rule.role === "external").map((rule) => rule.slug));
  const found = eithers.filter((event) => outside.has(event.slug));
  const alone = found.length > 0 && found.length === eithers.filter((event) => !isFinal(event)).length;
  const stopped = told.exits.some(({ code }) => STOPPED.includes(code));
  return alone && stopped && exits.length === 0 && causes.length === 0 ? found[0] : null;
}

function precedes(one, other) {
  if (one.file === other.file) return one.number < other.number;
  return one.time !== null && other.time !== null && one.time < other.time;
}

// Name the outcome where there are echoes at most: of a failure, or of an end whose reason is not in the log.
function echoed(collateral, scene) {
  if (collateral.length === 0 || wentOn(collateral, scene)) return calm(scene);
  if (isInterrupted(scene)) return "cancelled";
  return collateral.some(({ rule }) => rule === null || rule.where !== "launcher") ? "failed" : "cut_off";
}

// Whether somebody pressed Ctrl-C.
function isInterrupted({ records }) {
  return records.some(({ chain }) => chain.at(-1)?.type === "KeyboardInterrupt");
}

// Name the outcome of an attempt in which nothing failed.
function calm(scene) {
  const written = scene.lines.map((line) => line.text).filter((text) => text !== "");
  if (written.length === 0 || isUnreadable(written)) return "not_a_job_log";
  if (isInterrupted(scene)) return "cancelled";
  const isCut = ({ open, logged, lines }) => open && !logged && !endedWell(lines.at(-1), scene);
  if (scene.records.some(isCut)) return "cut_off";
  if (scene.told.finishes.length > 0) return "succeeded";
  const last = scene.told.progress.findLast(({ step }) => step !== null);
  return last !== undefined && last.total !== null && last.step === last.total ? "succeeded" : "no_failure_found";
}

// Order the events that name what happened and enter them into the verdict.
function findWhat(verdict, { causes, accusations, eithers, confirmed }, scene) {
  const known = [...causes, ...accusations, ...confirmed, ...eithers].filter((event) => event.slug !== null);
  const slugs = new Set(known.map((event) => event.slug));
  const hiding = new Set([...slugs].filter((slug) => scene.index.cards.get(slug).masks.some((other) => slugs.has(other))));
  const [named, all] = [new Set(verdict.ranks), verdict.allRanks];
  const classOf = (event) => {
    const apart = named.size > 0 && !all && event.rank !== null && !named.has(event.rank);
    return [apart && event.role !== "accusation" ? 1 : 0, CLASS.get(event.role)];
  };
  const orderOf = (event) => [...classOf(event), hiding.has(event.slug) ? 1 : 0, -event.specificity];
  const order = (a, b) => compareNumbers(orderOf(a), orderOf(b)) || byPlace(a, b);
  const telling = [...known].sort(order).filter((event) => event.specificity > 0);
  const blindly = isBlind(telling, scene);
  if (blindly) verdict.collateral = [...verdict.collateral, ...telling].sort(byPlace);
  verdict.causes = blindly ? [] : telling;
  const [blind] = [...causes, ...eithers].filter((event) => event.exception !== null && event.specificity === 0).sort(order);
  const [best] = verdict.causes;
  if (blind !== undefined && (best === undefined || compareNumbers(classOf(blind), classOf(best)) < 0)) {
    // What broke is an exception that no entry knows; what entries know is an echo, or weaker.
    const echoes = verdict.causes.filter((event) => event.role === "either");
    verdict.unclassified = blind;
    verdict.secondary = verdict.causes.filter((event) => event.role !== "either");
    verdict.collateral = [...verdict.collateral, ...echoes].sort(byPlace);
    verdict.causes = [];
  }
}

// Whether nothing but waiting in vain is in the log, and most ranks are not: whatever broke may be theirs.
function isBlind(telling, scene) {
  const { size } = scene.world;
  if (telling.length === 0 || size === null || scene.seen.size * 2 > size) return false;
  return telling.every((event) => event.role === "either") && isWaiting(telling[0], scene);
}
