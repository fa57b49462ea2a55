// A diagnosis -> what stands below the verdict: help where no entry fits, echoes, other failures, attempts, gaps.

import { exitsIn } from "./exits.mjs";
import { make } from "./page_dom.mjs";
import { OUTCOME, counted } from "./words.mjs";

const MOST_PASSED = 20;

// Make what helps on when no entry was found; null when one was.
export function helpCard({ diagnosis, timeline }, site) {
  if (diagnosis.what.entries.length) return null;
  const { unclassified, outcome } = diagnosis;
  const texts = timeline.filter(({ kind }) => kind === "exit" || kind === "initiating").map(({ text }) => text);
  const codes = exitsIn(texts, site.given.signals);
  const items = codes.map(({ text, name, says, address }) =>
    make("li", "", make("strong", "", text), name && name !== text ? ` (${name})` : "", `: ${says} `, address ? site.link(address, "Entries that name it") : null),
  );
  const children = [make("h3", "", outcome === "succeeded" ? "Not what you expected?" : "Where to go from here")];
  if (items.length) children.push(make("ul", "enc-exits", items));
  if (unclassified) children.push(searchFor(unclassified, site));
  children.push(make("p", "", leadOf(outcome), " ", wayIn(site)));
  if (outcome === "failed" && unclassified) {
    children.push(make("p", "", "A signature is missing here. ", site.link("contribute/", "Add one"), ", or file an issue with the text below."));
  }
  return make("section", "enc-help", children);
}

// Make the list of the files that were not read; null when all were.
export function passedOver(passed) {
  if (passed.length === 0) return null;
  const items = passed.slice(0, MOST_PASSED).map(({ name, why }) => make("li", "", `${name} ${why}`));
  if (passed.length > MOST_PASSED) items.push(make("li", "", `${passed.length - MOST_PASSED} more`));
  const note = "The diagnosis knows nothing of what is in them. To have one read all the same, choose it alone.";
  return make("section", "enc-passed", make("h3", "", `Passed over (${passed.length})`), make("ul", "", items), make("p", "enc-quiet", note));
}

function searchFor({ exception, text }, site) {
  const line = text ? `${exception}: ${text}` : exception;
  const button = make("button", "enc-button enc-button--quiet", "Search the encyclopedia for this line");
  button.type = "button";
  button.addEventListener("click", () => site.search(line.slice(0, 300)));
  return make("p", "", button);
}

function leadOf(outcome) {
  if (outcome === "not_a_job_log") return "Give the output of the job itself: of the launcher, or of each rank. If the job prints no error:";
  if (outcome === "failed" || outcome === "cut_off") return "The log of another rank, or the end of this one, may hold the line that tells. If there is none:";
  return "If the job is slow, hangs, grows or computes wrong numbers, it may print nothing:";
}

function wayIn(site) {
  const link = make("a", "", "go by what you see");
  link.href = document.getElementById("by-symptom") ? "#by-symptom" : site.href("diagnose/#by-symptom");
  return make("span", "", link, ".");
}

// Make the folded lists.
export function restOf(diagnosis, site, places) {
  const { outcome, collateral, secondary, notices, attempts, gaps } = diagnosis;
  return [
    gaps.length && outcome !== "not_a_job_log" ? make("section", "enc-gaps", make("h3", "", "What this log does not hold"), make("ul", "", gaps.map((gap) => make("li", "", gap)))) : null,
    fold("Echoes of the failure", collateral.map((group) => echo(group, site, places))),
    fold("Other failures, which did not start it", secondary.map((note) => noted(note, site, places))),
    fold("Looks bad, is not the cause", notices.map((note) => noted(note, site, places))),
    attempts.length > 1 ? fold("Attempts of a restarted job", attempts.map((attempt, i) => attempted(attempt, i, site)), true) : null,
  ];
}

function fold(title, items, open = false) {
  if (items.length === 0) return null;
  const made = make("details", "enc-fold", make("summary", "", `${title} (${items.length})`), make("ul", "", items.map((item) => make("li", "", item))));
  made.open = open;
  return made;
}

function echo({ kind, ranks, count, first, last }, site, places) {
  const whom = ranks.length ? ` on ${counted("rank", ranks)}` : "";
  const where = first.file === last.file && first.line === last.line ? [places.ref(first)] : [places.ref(first), " to ", places.ref(last)];
  return [kind ? site.entryLink(kind) : "No entry of its own", `, ${count} ${count === 1 ? "time" : "times"}${whom}, `, ...where];
}

function noted({ slug, because, evidence }, site, places) {
  return [site.entryLink(slug), " ", site.draftMark(slug), ` ${because} `, ...places.refs(evidence)];
}

function attempted({ first_line: first, last_line: last, outcome, slug }, i, site) {
  return [`Attempt ${i + 1}, lines ${first} to ${last}: ${OUTCOME.get(outcome).toLowerCase()}`, slug ? ", " : "", slug ? site.entryLink(slug) : null];
}
