// Events of a failed attempt -> who started it: the rank that reports the failure, is named, or ended by itself.
// Twin: generator/diagnosis/blame.py.

import { byPlace, isRank, isWrapper } from "./match.mjs";
import { behind } from "./sequence.mjs";
import { ascending, compareNumbers } from "./text.mjs";
import { ESTABLISHED, NOT_IN_LOG, SUPPORTED } from "./verdict.mjs";

const APART = 1_000_000; // microseconds beyond which two lines of one clock are in order
// Signals that no launcher's clean-up sends, or only at its very end.
const KILLED = [-9, -11, -7, -4, -8, -3, -5, -10, -12, -14, -24, -25, -31];
const ABORTED = -6; // a process that ended itself; a rank does so, too, when another sends what it does not expect
const OF_PEER = "terminate called after throwing an instance of 'gloo::"; // what such a process says last
const CLEANED_UP = [-15, 143];
// What an exception of the job's own says that another rank may have caused.
const IN_VAIN = new RegExp(
  "[Tt]imed? ?out|[Ll]ost|[Cc]losed|[Rr]eset|[Uu]nreachable|[Dd]isconnect|[Hh]eartbeat" +
    "|[Ss]ync|[Bb]arrier|[Pp]eer|[Cc]ollective",
  "u",
);
const TWICE = 2;
const WAYS = [byKill, byCause, byRepetition, byAccusation, byEnd, bySequence, bySilence, byAbsence, byOwnWords];

// Find the initiating rank and enter it into the verdict.
export function blame(verdict, suspects, scene) {
  for (const find of WAYS) {
    const found = find(suspects, verdict.collateral, scene);
    if (found === null) continue;
    const whose = [bySilence, byAbsence].includes(find) ? suspects.causes.find((event) => event.rank === null) : undefined;
    return Object.assign(verdict, found, { witness: whose ?? found.witness });
  }
  return verdict;
}

// Say who started it, and what says so.
function blamed(whoStatus, { ranks = [], allRanks = false, witness = null, ended = null } = {}) {
  return { whoStatus, ranks, allRanks, witness, ended };
}

// Name the one rank that a signal ended, where what others raise is known to nobody: they may only miss it.
function byKill({ causes, exits }, echoes, { told }) {
  const raising = new Set(causes.map((event) => event.rank).filter((rank) => rank !== null));
  const ends = [...endsIn(exits, echoes).values()].filter(({ code }) => KILLED.includes(code));
  if (ends.length !== 1 || raising.size === 0 || causes.some((event) => event.rule !== null)) return null;
  const [ended] = ends;
  if (raising.has(ended.rank)) return null;
  const noticedFirst = told.exits.some(({ claimed, rank }) => claimed && rank === ended.rank);
  const alone = new Set(exits.map(({ rank }) => rank)).size === 1;
  return noticedFirst || alone ? blamed(SUPPORTED, { ranks: [ended.rank], ended }) : blamed(NOT_IN_LOG);
}

// Whether ranks, but not all, say in the job's own words alone that they waited in vain or lost somebody.
function areLeftAlone(first, echoes, { world }) {
  const told = [...first.values()];
  if ((world.size !== null && first.size >= world.size) || new Set(told.map((event) => event.message)).size > 1) return false;
  const missed = world.size !== null && first.size === 1 && echoes.some(({ rank }) => rank !== null && !first.has(rank));
  return !missed && told.every(isInVain);
}

// Whether a rank says, in the job's own words, that it waited in vain or lost somebody.
function isInVain(event) {
  return event.rule === null && IN_VAIN.test(event.message);
}

// Name the rank that reports the failure itself; several that report the same are one failure of the program.
function byCause({ causes }, echoes, scene) {
  const first = new Map();
  for (const event of causes) if (event.rank !== null && !first.has(event.rank)) first.set(event.rank, event);
  if (first.size === 0) return null;
  if (areLeftAlone(first, echoes, scene)) return blamed(NOT_IN_LOG);
  const [witness] = first.values();
  const ranks = [...first.keys()].sort(ascending);
  if (new Set([...first.values()].map((event) => event.message)).size === 1) {
    return blamed(ESTABLISHED, { ranks, allRanks: ranks.length > 1, witness });
  }
  return byOrder(first);
}

// Name the rank that says more than that it lost another, or the one that was first by far on one clock.
function byOrder(first) {
  const own = [...first].filter(([, event]) => !isInVain(event));
  if (own.length === 1) return blamed(SUPPORTED, { ranks: [own[0][0]], witness: own[0][1] });
  const timed = [...first].filter(([, event]) => event.line.time !== null);
  timed.sort(([a, one], [b, other]) => one.line.time - other.line.time || ascending(a, b));
  const oneClock = new Set([...first.values()].map((event) => event.line.file)).size === 1;
  if (timed.length === first.size && timed[1][1].line.time - timed[0][1].line.time > APART && oneClock) {
    return blamed(SUPPORTED, { ranks: [timed[0][0]], witness: timed[0][1] });
  }
  return blamed(NOT_IN_LOG);
}

// Name all ranks where several processes print the same cause, though none says which it is.
function byRepetition({ causes }, echoes, { world }) {
  const several = world.size > 1 || world.byPid.size > 1;
  const messages = new Set(causes.map((event) => event.message));
  if (!several || messages.size !== 1 || causes.length < TWICE) return null;
  return blamed(SUPPORTED, { allRanks: true, witness: causes[0] });
}

// Name whom most accusations name; nobody when two are named as often.
function byAccusation({ accusations }) {
  const accused = new Map();
  for (const event of accusations) {
    const ranks = accusedRanks(event);
    if (ranks.length === 0) continue;
    const name = ranks.join();
    if (!accused.has(name)) accused.set(name, { ranks, witness: event, accusers: new Set() });
    accused.get(name).accusers.add(event.rank);
  }
  const order = (a, b) => b.accusers.size - a.accusers.size || compareNumbers(a.ranks, b.ranks);
  const [best, next] = [...accused.values()].sort(order);
  if (best === undefined || best.accusers.size === next?.accusers.size) return null;
  const { ranks, witness, accusers } = best;
  // "Rank 0 runs this, but rank 1 that" is as good as its opposite until a third rank speaks.
  if (witness.captures.has("mutual") && accusers.size < TWICE) return null;
  return blamed(ranks.length === 1 ? ESTABLISHED : SUPPORTED, { ranks, witness });
}

// Name the one process that ended by itself, as far as nothing else explains its end.
function byEnd({ causes, eithers, exits }, echoes, scene) {
  const ends = endsIn(exits, echoes);
  let left = [...ends.values()].filter(isOwnEnd).sort((a, b) => ascending(a.rank, b.rank));
  if (left.length > 1 && left[0].code > 0 && new Set(left.map((ending) => ending.code)).size === 1) {
    // One that was stopped may be whom they missed.
    if (new Set(scene.told.exits.map(({ rank }) => rank)).size - left.length === 1) return null;
    return blamed(SUPPORTED, { ranks: left.map((ending) => ending.rank), allRanks: true, ended: left[0] });
  }
  if (left.length === 0 && !eithers.some((event) => isWaiting(event, scene))) {
    left = ownEnds([...ends.values()], causes, echoes, scene);
  }
  if (left.length === 0 && isOfOne({ causes, eithers }, echoes, ends, scene)) left = [...ends.values()];
  if (left.length !== 1) return null;
  const [ended] = left;
  // So did another process, of which the log does not say which rank it was.
  const isOther = (end) => end.rank === null && end.pid !== null && end.pid !== ended.pid && isOwnEnd(end);
  if (exits.some(isOther)) return null;
  // The agent's table, with the others' ends, is not in the log.
  const isAgentsAlone = ended.local !== null && ended.pid !== null && ended.code > 0;
  if (isAgentsAlone && !scene.told.exits.some(({ claimed }) => claimed)) return null;
  const witness = causes.find((event) => event.rank === null && byPlace(event, ended.line) < 0) ?? null;
  const sure = isOwnEnd(ended) || witness !== null;
  return blamed(sure ? ESTABLISHED : SUPPORTED, { ranks: [ended.rank], witness, ended });
}

// Return how ranks ended that the launcher did not have to kill.
function endsIn(exits, echoes) {
  const killers = echoes.filter((event) => event.line.text.includes("SIGKILL"));
  const forced = new Set(killers.map((event) => event.captures.get("pid")));
  const ends = new Map();
  for (const ending of exits) {
    const wasForced = ending.pid !== null && forced.has(BigInt(ending.pid));
    if (ending.rank !== null && !wasForced && !ends.has(ending.rank)) ends.set(ending.rank, ending);
  }
  return ends;
}

// Whether one process ended by itself, all others were stopped, and what is told fits that one alone.
function isOfOne({ causes, eithers }, echoes, ends, { told }) {
  const others = [...eithers, ...echoes].some((event) => event.record !== null && !isOfLauncher(event));
  const stopped = told.exits.some(({ code }) => CLEANED_UP.includes(code));
  return ends.size === 1 && stopped && causes.length > 0 && !others;
}

// Whether a process can have ended so for no other's sake: by a signal, or by a code that no exception gives.
function isOwnEnd({ code }) {
  return KILLED.includes(code) || code > 1;
}

// An exit code of its own says something only where the other ranks' words are in the log; with those of several
// missing, an echo may be missing too.
function ownEnds(ends, causes, echoes, { seen, world, lines }) {
  const speaking = new Set(echoes.filter((e) => e.record !== null && e.rank !== null).map((event) => event.rank));
  if (speaking.size === 0 || seen.size < (world.size || seen.size + 2) - 1) return [];
  const unknown = causes.every((event) => event.rule === null) && !lines.some(({ text }) => text.includes(OF_PEER));
  return ends.filter(({ rank, code }) => (!speaking.has(rank) && code > 0) || (unknown && code === ABORTED));
}

// Name the one rank that had not yet queued what the others of its group waited for.
function bySequence({ eithers }, echoes) {
  const late = behind([...eithers, ...echoes]);
  return late === null ? null : blamed(SUPPORTED, { ranks: [late.rank], witness: late });
}

// Name the one rank that reports no time-out though all others do and its own output is in the log.
function bySilence({ eithers }, echoes, scene) {
  const waiting = eithers.filter((event) => event.rule !== null && event.rank !== null && isWaiting(event, scene));
  const missing = missingFrom(waiting, scene);
  if (missing === null || new Set(waiting.map(callOf)).size !== 1 || waiting.length < TWICE) return null;
  // A log that is cut may have lost the last report: a launcher's word behind them shows that it is not.
  const last = waiting.reduce((a, b) => (byPlace(a, b) < 0 ? b : a));
  const closed =
    scene.told.exits.some((ending) => ending.rank === missing) ||
    echoes.some((event) => event.rule?.where === "launcher" && byPlace(event, last) > 0);
  return closed ? blamed(SUPPORTED, { ranks: [missing], witness: waiting[0] }) : null;
}

// Name the one rank that does not report that a peer went away, though all others do.
function byAbsence({ eithers }, echoes, scene) {
  const reporting = echoes.filter((event) => event.record !== null && event.rank !== null && event.rule !== null);
  const missing = missingFrom(reporting, scene);
  if (missing === null || eithers.some((event) => isWaiting(event, scene))) return null;
  const stopped = scene.told.exits.some((ending) => ending.rank === missing && CLEANED_UP.includes(ending.code));
  return stopped ? null : blamed(SUPPORTED, { ranks: [missing], witness: reporting[0] });
}

// Name the one rank that reports more than that another went away.
function byOwnWords({ eithers }, echoes, scene) {
  const own = eithers.filter((event) => event.rank !== null && event.rule !== null && !isOfLauncher(event));
  const ranks = [...new Set(own.map((event) => event.rank))];
  if (ranks.length !== 1 || isWaiting(own[0], scene) || !echoes.some((event) => event.rank !== ranks[0])) return null;
  return blamed(SUPPORTED, { ranks, witness: own[0] });
}

function isOfLauncher({ rule, record }) {
  return rule?.where === "launcher" || (record !== null && record.chain.every(({ type }) => isWrapper(type)));
}

// Return the one rank from which none of some events is, if its own output is in the log; else null.
function missingFrom(events, { world, seen }) {
  const ranks = new Set(events.map((event) => event.rank));
  const absent = Array.from({ length: world.size ?? 0 }, (_, rank) => rank).filter((rank) => !ranks.has(rank));
  return absent.length === 1 && seen.has(absent[0]) && world.size > 1 ? absent[0] : null;
}

// Return the ranks that an accusation names.
export function accusedRanks(event) {
  for (const name of ["accused", "accused_ranks"]) {
    const value = event.captures.get(name);
    const ranks = Array.isArray(value) ? value : [value];
    if (ranks.every(isRank)) return ranks.map(Number).sort(ascending);
  }
  return [];
}

// Whether the event says that a rank waited in vain for others.
export function isWaiting(event, scene) {
  if (event.rule === null) return true;
  return scene.index.cards.get(event.rule.slug)?.detector?.kind === "missing_from_collective";
}

// Say in which call a rank waited; one that waits in another call may be the cause itself.
function callOf(event) {
  const frames = event.record?.chain.at(-1)?.frames ?? [];
  if (frames.length > 0) return JSON.stringify(frames);
  const values = ["op", "seq", "numel_in"].map((name) => event.captures.get(name));
  return JSON.stringify(values.map((value) => [typeof value, String(value)]));
}
