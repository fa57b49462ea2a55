// What is known of a failure -> the one fact that would decide what is open, as a question and a command.
// Twin: generator/diagnosis/asking.py.

import { ascending } from "./text.mjs";
import { ESTABLISHED, NOT_IN_LOG, SUPPORTED } from "./verdict.mjs";

const SIGKILL = -9;
const SHOWN = 16; // ranks that are named; of more only the number is

// Say how sure the first entry is.
export function whatStatus({ causes }, entries) {
  if (entries.length === 0) return NOT_IN_LOG;
  const [{ specificity, role }] = causes;
  return specificity === 2 && ["cause", "confirmation", "external"].includes(role) ? ESTABLISHED : SUPPORTED;
}

// Ask for one fact; null when nothing is open, or nothing failed.
export function missingFact(scene, verdict, who, entries, runnerUp) {
  if (!["failed", "cancelled", "cut_off"].includes(verdict.outcome)) return null;
  const questions = entries.length ? scene.index.cards.get(entries[0].slug).questions : [];
  const telling = questions.find((question) => runnerUp !== null && question.separates_from.includes(runnerUp.slug));
  if (telling !== undefined) return questionOf(telling);
  const state = stateOf(scene, verdict, entries);
  if (state !== null) return filled(scene.index.asks.get(state), scene, who);
  return questions.length && whatStatus(verdict, entries) === SUPPORTED ? questionOf(questions[0]) : null;
}

// Name what is open, the most telling first; null when nothing is.
function stateOf(scene, { outcome, ended, whoStatus, witness, ranks, allRanks, unclassified }, entries) {
  const nobody = whoStatus === NOT_IN_LOG;
  if (outcome === "cancelled") return "cancelled";
  if (ended !== null && ended.code === SIGKILL) return "killed";
  if (nobody && isFolded(scene)) return "folded";
  const speaker = witness?.rank ?? null;
  if (ranks.length && !allRanks && speaker !== null && !ranks.includes(speaker)) return "silent";
  const { size } = scene.world;
  if (nobody && size !== null && scene.seen.size < size) return "other-ranks";
  return ended !== null && unclassified === null && entries.length === 0 ? "no-traceback" : null;
}

// Whether Ray wrote equal lines of different workers once.
export function isFolded({ lines }) {
  return lines.some(({ text }) => text.includes("[repeated ") && text.includes("across cluster]"));
}

function questionOf({ ask, command }) {
  return { ask, command };
}

function filled({ ask, command }, scene, { ranks, pids, hosts }) {
  const seen = [...scene.seen].sort(ascending);
  const known = { rank: ranks.join(", "), ranks: ranksText(seen), pid: pids.join(", "), host: hosts.join(", ") };
  for (const [blank, text] of Object.entries(known)) {
    ask = ask.replaceAll(`{${blank}}`, () => text || "unknown");
    command = command.replaceAll(`{${blank}}`, () => text || blank.toUpperCase());
  }
  return { ask, command };
}

// Say ranks in words.
export function ranksText(ranks) {
  const more = ranks.length > SHOWN ? ` and ${ranks.length - SHOWN} more` : "";
  return (ranks.length === 1 ? "rank " : "ranks ") + ranks.slice(0, SHOWN).join(", ") + more;
}
