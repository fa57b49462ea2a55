// Events of a failed attempt -> who started it: the rank that reports the failure, is named, or ended by itself.
// Twin: generator/diagnosis/blame.py.

import { byPlace } from "./match.mjs";
import { ascending, strip } from "./text.mjs";
import { exactNumber } from "./values.mjs";
import { ESTABLISHED, SUPPORTED } from "./verdict.mjs";

const APART = 1_000_000; // microseconds beyond which two lines of one clock are in order
const KILLED = [-9, -11, -7, -4, -8]; // signals that no launcher's clean-up sends, or only at its very end

// Find the initiating rank; put it, how sure it is and who says it into the verdict.
export function blame(verdict, { causes, accusations, eithers, exits }, scene) {
  const name = (ranks, whoStatus, witness) => Object.assign(verdict, { ranks, whoStatus, witness });
  const ranked = causes.filter((event) => event.rank !== null);
  if (ranked.length > 0) return byCause(verdict, ranked);
  const accused = mostAccused(accusations);
  if (accused !== null) {
    return name(accused.ranks, accused.ranks.length === 1 ? ESTABLISHED : SUPPORTED, accused.witness);
  }
  const ended = ownExit(exits, eithers, verdict.collateral, scene);
  if (ended !== null) {
    const unlabelled = causes.find((event) => event.rank === null && byPlace(event, ended.line) < 0) ?? null;
    verdict.ended = ended;
    return name([ended.rank], KILLED.includes(ended.code) || unlabelled ? ESTABLISHED : SUPPORTED, unlabelled);
  }
  const silent = silentRank(eithers, scene);
  if (silent !== null) return name([silent.rank], SUPPORTED, silent.witness);
  const own = eithers.filter(({ rank, rule }) => rank !== null && rule !== null && rule.where !== "launcher");
  const alone = new Set(own.map((event) => event.rank)).size === 1 && !isWaiting(own[0], scene);
  if (alone && verdict.collateral.some((event) => event.rank !== own[0].rank)) name([own[0].rank], SUPPORTED, own[0]);
}

function byCause(verdict, ranked) {
  const first = new Map();
  for (const event of ranked) if (!first.has(event.rank)) first.set(event.rank, event);
  verdict.witness = ranked[0];
  const ranks = [...first.keys()].sort(ascending);
  if (new Set([...first.values()].map((event) => event.message)).size === 1) {
    return Object.assign(verdict, { ranks, allRanks: ranks.length > 1, whoStatus: ESTABLISHED });
  }
  const timed = [...first].filter(([, event]) => event.line.time !== null);
  timed.sort(([a, one], [b, other]) => one.line.time - other.line.time || ascending(a, b));
  const apart = timed.length === first.size && timed[1][1].line.time - timed[0][1].line.time > APART;
  if (apart && new Set(ranked.map((event) => event.line.file)).size === 1) {
    return Object.assign(verdict, { ranks: [timed[0][0]], whoStatus: SUPPORTED, witness: timed[0][1] });
  }
  verdict.witness = null; // ranks report different failures, and the log does not order them
}

// Return whom most accusations name; nobody when two are named as often.
function mostAccused(accusations) {
  const votes = new Map();
  for (const event of accusations) {
    const ranks = accusedRanks(event);
    if (ranks.length === 0) continue;
    const name = ranks.join();
    const vote = votes.get(name) ?? { ranks, witness: event, count: 0 };
    vote.count += 1;
    votes.set(name, vote);
  }
  const [best, next] = [...votes.values()].sort((a, b) => b.count - a.count);
  return best === undefined || best.count === next?.count ? null : best;
}

// Return the ranks that an accusation names.
export function accusedRanks(event) {
  for (const name of ["accused", "accused_ranks"]) {
    const value = event.captures.get(name);
    if (typeof value === "bigint") return [exactNumber(value)];
    if (Array.isArray(value)) return value.map(exactNumber).sort(ascending);
    if (typeof value === "string" && /^[0-9]+$/u.test(value.replace(/[, ]/gu, ""))) {
      return value.split(",").filter((part) => strip(part) !== "").map((part) => exactNumber(BigInt(part))).sort(ascending);
    }
  }
  return [];
}

// Return the one process that ended by itself, as far as nothing else explains its end.
function ownExit(exits, eithers, collateral, scene) {
  const killers = collateral.filter((event) => event.line.text.includes("SIGKILL"));
  const forced = new Set(killers.map((event) => event.captures.get("pid")));
  const byRank = new Map();
  for (const ending of exits) {
    if (ending.rank === null || (ending.pid !== null && forced.has(BigInt(ending.pid)))) continue;
    if (!byRank.has(ending.rank)) byRank.set(ending.rank, ending);
  }
  const killed = [...byRank.values()].filter((ending) => KILLED.includes(ending.code));
  if (killed.length > 0) return killed.length === 1 ? killed[0] : null;
  const waiting = eithers.some((event) => isWaiting(event, scene));
  const echoes = new Set(collateral.filter((e) => e.record !== null && e.rank !== null).map((event) => event.rank));
  const left = [...byRank.values()].filter((ending) => !echoes.has(ending.rank));
  return left.length === 1 && echoes.size > 0 && !waiting ? left[0] : null;
}

// Whether the event says that a rank waited in vain for others.
export function isWaiting(event, scene) {
  if (event.rule === null) return true;
  return scene.index.cards.get(event.rule.slug)?.detector?.kind === "missing_from_collective";
}

// Return the one rank that reports no time-out though all others do and its own output is in the log.
function silentRank(eithers, scene) {
  const waiting = eithers.filter((event) => event.rule !== null && event.rank !== null && isWaiting(event, scene));
  const ranks = new Set(waiting.map((event) => event.rank));
  const { size } = scene.world;
  if (size === null || ranks.size !== size - 1 || size < 3) return null;
  const missing = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !ranks.has(rank));
  if (missing.length !== 1 || !scene.seen.has(missing[0]) || new Set(waiting.map(callOf)).size !== 1) return null;
  // A log that is cut may have lost the last report: the launcher's word on the silent rank must be there.
  const told = scene.told.exits.some((ending) => ending.rank === missing[0]);
  return told ? { rank: missing[0], witness: waiting[0] } : null;
}

// Say in which call a rank waited; one that waits in another call may be the cause itself.
function callOf(event) {
  const frames = event.record?.chain.at(-1)?.frames ?? [];
  if (frames.length > 0) return JSON.stringify(frames);
  const values = ["op", "seq", "numel_in"].map((name) => event.captures.get(name));
  return JSON.stringify(values.map((value) => [typeof value, String(value)]));
}
