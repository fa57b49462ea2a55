// What is known of a failure -> the one fact that would decide what is open, as a question and a command.
// What a line of the log has answered, or could no longer change, is not asked.
// Twin: generator/diagnosis/asking.py.

import { isWaiting } from "./blame.mjs";
import { ascending, compareTexts } from "./text.mjs";
import { ESTABLISHED, NOT_IN_LOG, SUPPORTED } from "./verdict.mjs";

const SIGKILL = -9;
const SHOWN = 16; // ranks that are named; of more only the number is
const MOST_NAMES = 8;
const OPTIONAL = /\[([^\][]*)\]/gu; // a part of a question that is left out where a blank in it stays empty
const READ_LOG = /(?<=[ <])[a-z_*-]+\.log(?![A-Za-z0-9_./-])/gu; // an entry's name for the log that a reader has
const NAMED = /^[A-Za-z0-9_./@%+=:,][A-Za-z0-9_./@%+=:, -]*$/u; // a file's name that needs no more than quotes in a shell

// Say how sure the first entry is.
export function whatStatus({ causes }, entries) {
  return entries.length ? statusOf(causes[0]) : NOT_IN_LOG;
}

// Say how sure an event makes its entry.
export function statusOf({ specificity, role }) {
  return specificity === 2 && ["cause", "confirmation", "external"].includes(role) ? ESTABLISHED : SUPPORTED;
}

// Ask for one fact; null when nothing is open, or nothing failed.
export function missingFact(scene, verdict, who, entries, runnerUp, names) {
  if (!["failed", "cancelled", "cut_off"].includes(verdict.outcome)) return null;
  const quiet = quietRank(scene, verdict);
  if (quiet !== null) {
    const pids = [...scene.world.byPid].filter(([, rank]) => rank === quiet).map(([pid]) => pid);
    return filled(scene.index.asks.get("quiet"), scene, { ...who, ranks: [quiet], pids: pids.sort(compareTexts) });
  }
  const status = whatStatus(verdict, entries);
  const asked = status === SUPPORTED ? openOf(scene.index.cards.get(entries[0].slug), scene) : [];
  const telling = asked.find((question) => runnerUp !== null && question.separates_from.includes(runnerUp.slug));
  if (telling !== undefined) return ofLog(telling, names);
  const state = stateOf(scene, verdict, status);
  if (state !== null) return filled(scene.index.asks.get(state), scene, who);
  return asked.length ? ofLog(asked[0], names) : null;
}

// Return the one rank in the log that reports no time-out, where nobody is named and several others report one.
function quietRank(scene, { whoStatus, causes, collateral }) {
  const told = whoStatus === NOT_IN_LOG ? [...causes, ...collateral] : [];
  const waiting = new Set();
  for (const event of told) if (event.rule !== null && event.rank !== null && isWaiting(event, scene)) waiting.add(event.rank);
  const quiet = [...scene.seen].filter((rank) => !waiting.has(rank));
  return quiet.length === 1 && waiting.size > 1 ? quiet[0] : null;
}

// Return the questions of an entry that no line of it in the log has answered.
function openOf({ slug, questions }, scene) {
  const own = scene.matcher.events.filter((event) => event.slug === slug);
  const shown = new Set(own.map(({ rule }) => (rule === null ? "detector" : rule.id)));
  return questions.filter((question) => !(question.settled_by ?? []).some((name) => shown.has(name)));
}

// Name what is open, the most telling first; null when nothing is.
function stateOf(scene, { outcome, ended, whoStatus, witness, ranks, allRanks, unclassified }, status) {
  const nobody = whoStatus === NOT_IN_LOG;
  if (outcome === "cancelled") return "cancelled";
  if (ended !== null && ended.code === SIGKILL && status !== ESTABLISHED) return "killed";
  if (nobody && isFolded(scene)) return "folded";
  const speaker = witness?.rank ?? null;
  if (ranks.length && !allRanks && speaker !== null && !ranks.includes(speaker)) return "silent";
  const { size } = scene.world;
  if (nobody && size !== null && scene.seen.size < size) return "other-ranks";
  return ended !== null && unclassified === null && status === NOT_IN_LOG ? "no-traceback" : null;
}

// Whether Ray wrote equal lines of different workers once.
export function isFolded({ lines }) {
  return lines.some(({ text }) => text.includes("[repeated ") && text.includes("across cluster]"));
}

// Ask, with the names of the files that were given where the command reads a log.
function ofLog({ ask, command }, names) {
  if (command === null || names.length > MOST_NAMES || !names.every(isOnDisk)) return { ask, command };
  const files = names.map((name) => (name.includes(" ") ? `'${name}'` : name)).join(" ");
  return { ask, command: command.replace(READ_LOG, () => files) };
}

// Whether a name is that of a file that grep reads: not of what was pasted, nor of a packed one.
function isOnDisk(name) {
  return NAMED.test(name) && name.includes(".") && !name.endsWith(".gz") && !name.endsWith(".zip");
}

function filled({ ask, command }, scene, { ranks, pids, hosts }) {
  const seen = [...scene.seen].sort(ascending);
  const known = { rank: ranks.join(", "), ranks: seen.length ? ranksText(seen) : "", pid: pids.join(", "), host: hosts.join(", ") };
  const empty = Object.keys(known).filter((blank) => known[blank] === "").map((blank) => `{${blank}}`);
  ask = ask.replace(OPTIONAL, (_, part) => (empty.some((blank) => part.includes(blank)) ? "" : part));
  for (const [blank, text] of Object.entries(known)) {
    ask = ask.replaceAll(`{${blank}}`, () => text);
    command = command.replaceAll(`{${blank}}`, () => text || blank.toUpperCase());
  }
  return { ask, command };
}

// Say ranks in words.
export function ranksText(ranks) {
  const more = ranks.length > SHOWN ? ` and ${ranks.length - SHOWN} more` : "";
  return (ranks.length === 1 ? "rank " : "ranks ") + ranks.slice(0, SHOWN).join(", ") + more;
}
