// A diagnosis -> Markdown for an issue: ids, ranks, line numbers and links; the log's own words only where they are asked for.

import { OUTCOME, STATUS, listed, sayWho } from "./words.mjs";

// Write what may go anywhere. Files are numbered, since a name can tell where a job ran.
export function toMarkdown(diagnosis, entryOf, command) {
  const places = new Numbered();
  const { who, what, why } = diagnosis;
  const lines = [`### ${OUTCOME.get(diagnosis.outcome)}`, ""];
  const whose = who.status === "not_in_log" ? "" : `: ${namedSafely(who)}`;
  const at = who.line === null ? "" : `, ${places.say(who)}`;
  lines.push(`- **Who** (${STATUS.get(who.status)[0]})${whose}${at}`);
  if (what.entries.length === 0) lines.push(`- **What** (${STATUS.get("not_in_log")[0]})${unknown(diagnosis, places)}`);
  what.entries.forEach((entry, i) => {
    const sure = i === 0 ? STATUS.get(what.status)[0] : "also possible";
    const draft = entry.status === "draft" ? ", a draft" : "";
    const signature = entry.signature ? `, signature [${entry.signature}](${entry.url}#${entry.signature.toLowerCase()})` : "";
    lines.push(`- **What** (${sure}): [${escaped(entry.title)}](${entry.url}) ${entry.id}${draft}${signature}${places.list(entry.evidence)}`);
  });
  if (what.runner_up) lines.push(`- **Runner-up**: ${linked(what.runner_up.slug, entryOf)}`);
  const facts = why.filter((fact) => fact.fact !== "raised-at");
  facts.forEach((fact) => lines.push(`- **Why** (${STATUS.get("established")[0]}): ${escaped(fact.says)}${places.list(fact.evidence)}`));
  diagnosis.collateral.forEach(({ kind, ranks, count, first, last }) => {
    const whom = ranks.length ? `, ranks ${listed(ranks)}` : "";
    lines.push(`- **Echo** ${linked(kind, entryOf)}: ${count} ${count === 1 ? "time" : "times"}${whom}, ${places.say(first)} to ${places.say(last)}`);
  });
  diagnosis.secondary.forEach(({ slug, evidence }) => lines.push(`- **Also failed**: ${linked(slug, entryOf)}${places.list(evidence)}`));
  if (diagnosis.attempts.length > 1) lines.push(`- **Attempts**: ${diagnosis.attempts.length}; the last one is judged`);
  if (diagnosis.gaps.length) lines.push(`- **Gaps** in the log: ${diagnosis.gaps.length}`);
  lines.push("", `Index ${diagnosis.index.hash}. The same on the command line: \`${command}\`.`, "");
  return lines.join("\n");
}

// Write the evidence lines, each passed through `mask`.
export function evidenceMarkdown(diagnosis, mask) {
  const seen = new Map();
  const all = [...diagnosis.what.entries, ...diagnosis.why, ...diagnosis.secondary].flatMap((part) => part.evidence);
  if (diagnosis.unclassified) {
    const { exception, text, file, line } = diagnosis.unclassified;
    all.push({ file, line, text: text ? `${exception}: ${text}` : exception });
  }
  for (const { file, line, text } of all) seen.set(`${file}\n${line}`, `${String(line).padStart(6)}  ${mask(text)}`);
  if (seen.size === 0) return "";
  const body = [...seen.values()].join("\n");
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...(body.match(/`+/g) ?? []).map((run) => run.length))));
  return `\n${fence}text\n${body}\n${fence}\n`;
}

function namedSafely(who) {
  const unnamed = !who.all_ranks && !who.ranks.length && !who.local_ranks.length;
  return unnamed ? "a process without a rank" : sayWho(who).toLowerCase();
}

function unknown({ unclassified }, places) {
  return unclassified ? `: an exception that no entry knows, ${places.say(unclassified)}` : "";
}

function linked(slug, entryOf) {
  const entry = entryOf(slug);
  return entry ? `[${escaped(entry.title)}](${entry.url})` : "of another failure";
}

function escaped(text) {
  return text.replace(/[\\`*_[\]<>|#~]/g, "\\$&");
}

class Numbered {
  constructor() {
    this.files = new Map();
  }

  say({ file, line }) {
    if (!this.files.has(file)) this.files.set(file, this.files.size + 1);
    return `file ${this.files.get(file)} line ${line}`;
  }

  list(evidence) {
    return evidence.length ? `, ${listed(evidence.map((place) => this.say(place)))}` : "";
  }
}
