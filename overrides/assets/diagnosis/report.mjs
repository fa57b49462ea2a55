// A diagnosis -> the address of the project's form for a new issue, filled in: ids, ranks and line numbers.
// Nothing of the log stands in it but what is handed over, masked, as evidence.

import { STATUS, listed } from "./words.mjs";

const LONGEST_ADDRESS = 8000; // characters; longer ones are refused by servers
const CUT = "\n\nMore evidence lines did not fit.\n";
const QUESTION = "What is wrong or missing, and what would be right? Which line of the log shows it?";

// Write the address; form: where a new issue is filed, evidence: empty, or Markdown.
export function reportAddress(form, diagnosis, entryOf, evidence) {
  const named = diagnosis.what.entries[0];
  const title = named ? `Wrong or incomplete match: ${named.signature ?? named.id}` : "Missing match";
  const start = `${form}?title=${encoded(title)}&body=`;
  const body = `${bodyOf(diagnosis, entryOf)}\n${QUESTION}\n`;
  const whole = start + encoded(body + evidence);
  if (whole.length <= LONGEST_ADDRESS) return whole;
  const lines = evidence.trim().split("\n");
  const [fence, shut] = [lines[0], lines.at(-1)];
  let kept = start + encoded(body);
  for (let count = 1; count < lines.length - 1; count++) {
    const next = start + encoded(`${body}\n${fence}\n${lines.slice(1, 1 + count).join("\n")}\n${shut}${CUT}`);
    if (next.length > LONGEST_ADDRESS) break;
    kept = next;
  }
  return kept.slice(0, LONGEST_ADDRESS).replace(/%.?$/, "");
}

function bodyOf({ outcome, who, what, secondary, collateral, unclassified, index }, entryOf) {
  const files = new Map();
  const place = ({ file, line }) => {
    if (!files.has(file)) files.set(file, files.size + 1);
    return `file ${files.get(file)} line ${line}`;
  };
  const at = (places) => (places.length ? `, ${listed(places.map(place))}` : "");
  const idOf = (slug) => entryOf(slug)?.id ?? "no entry";
  const lines = [`Outcome: ${outcome}`];
  const ranks = who.all_ranks ? "all ranks" : who.ranks.length ? `rank ${listed(who.ranks)}` : "no rank";
  lines.push(`Who: ${ranks}, ${STATUS.get(who.status)[0]}${who.line === null ? "" : at([who])}`);
  const found = what.entries.map((entry) => `${entry.signature ?? entry.id}${at(entry.evidence)}`);
  lines.push(`What: ${found.length ? `${STATUS.get(what.status)[0]}: ${found.join("; ")}` : "no entry"}`);
  if (unclassified) lines.push(`An exception that no entry knows${at([unclassified])}`);
  if (what.runner_up) lines.push(`Runner-up: ${idOf(what.runner_up.slug)}`);
  secondary.forEach(({ slug, evidence }) => lines.push(`Also failed: ${idOf(slug)}${at(evidence)}`));
  collateral.slice(0, 10).forEach(({ kind, count, first }) => lines.push(`Echo: ${kind ? idOf(kind) : "no entry"}, ${count} times${at([first])}`));
  lines.push(`Index: ${index.hash}`);
  return lines.slice(0, 40).map((line) => `- ${line}\n`).join("");
}

// Half a character, as a cut leaves it, has no code.
function encoded(text) {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
