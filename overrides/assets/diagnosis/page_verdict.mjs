// A diagnosis -> its first part on the page: who, what and why, what to do now and how to tell that it helped.

import { commandBlock, make, statusMark } from "./page_dom.mjs";
import { OUTCOME, counted, listed, sayWho } from "./words.mjs";

// Make the verdict; places lead to the lines.
export function verdictCard(diagnosis, site, places) {
  const heading = make("h2", "enc-verdict__outcome", OUTCOME.get(diagnosis.outcome));
  heading.tabIndex = -1;
  const silent = ["succeeded", "no_failure_found", "not_a_job_log"].includes(diagnosis.outcome);
  const parts = silent && diagnosis.what.entries.length === 0 ? [] : [who(diagnosis, places), ...what(diagnosis, site, places), why(diagnosis, places)];
  const card = make("div", `enc-verdict enc-verdict--${diagnosis.outcome}`, heading, reasons(diagnosis), make("dl", "enc-parts", parts), steps(diagnosis));
  card.setAttribute("data-outcome", diagnosis.outcome);
  return card;
}

// Say why there is nothing to judge.
function reasons({ outcome, gaps }) {
  return outcome === "not_a_job_log" ? gaps.map((gap) => make("p", "", gap)) : null;
}

function part(name, status, ...children) {
  return make("div", `enc-part enc-part--${name.toLowerCase()}`, make("dt", "", name, " ", status && statusMark(status)), make("dd", "", children));
}

function who({ who: found }, places) {
  const place = found.line === null ? null : places.ref(found);
  if (found.status === "not_in_log") return part("Who", found.status, make("p", "", "The log does not show which process started it.", place && [" The line that tells most: ", place, "."]));
  const named = sayWho(found);
  const details = [
    found.ranks.length && found.local_ranks.length ? counted("local rank", found.local_ranks) : "",
    found.hosts.length ? counted("host", found.hosts) : "",
    found.pids.length && !named.startsWith("Process") ? `pid ${listed(found.pids)}` : "",
    found.time === null ? "" : `at ${found.time}`,
  ].filter(Boolean);
  const detail = make("span", "enc-part__detail", details.join(", "));
  return part("Who", found.status, make("p", "", make("strong", "", named), details.length ? " " : "", details.length ? detail : null, place && [details.length ? ", " : " ", place]));
}

function what(diagnosis, site, places) {
  const { status, entries, runner_up: runnerUp } = diagnosis.what;
  if (entries.length === 0) return [part("What", "not_in_log", unexplained(diagnosis, places))];
  const cards = entries.map((entry) => entryCard(entry, site, places));
  const apart = entries.length > 1 ? make("p", "enc-quiet", `${entries.length} entries fit. The first fits best; they are kept apart, since the log does not decide between them.`) : null;
  const runner = runnerUp && make("p", "enc-runner", make("span", "enc-term", "Runner-up"), " ", site.entryLink(runnerUp.slug), " ", site.draftMark(runnerUp.slug), make("br"), make("span", "enc-term", "To tell them apart"), ` ${runnerUp.discriminator}`);
  return [part("What", status, apart, entries.length > 1 ? make("ol", "enc-causes", cards.map((card) => make("li", "", card))) : cards, runner)];
}

function entryCard(entry, site, places) {
  const anchor = entry.signature ? `#${entry.signature.toLowerCase()}` : "";
  const link = make("strong", "enc-what", site.link(entry.url, entry.title));
  const lines = entry.evidence.length ? [make("span", "enc-term", "Evidence"), " ", places.refs(entry.evidence)] : [];
  const signature = entry.signature ? [", signature ", site.link(entry.url + anchor, entry.signature)] : [];
  return make("div", "enc-cause", make("p", "", link, " ", site.draftMark(entry.slug)), make("p", "enc-part__detail", entry.because), make("p", "enc-part__detail", lines, signature));
}

function unexplained({ unclassified }, places) {
  if (unclassified === null) return make("p", "", "No entry fits what is in this log.");
  const line = unclassified.text ? `${unclassified.exception}: ${unclassified.text}` : unclassified.exception;
  return [make("p", "", "No entry knows this failure. The exception is at ", places.ref(unclassified), ":"), make("p", "enc-line-shown", make("code", "", line))];
}

function why({ why: facts }, places) {
  if (facts.length === 0) return part("Why", "not_in_log", make("p", "", "No number or place in this log says more."));
  return part("Why", "established", facts.map((fact) => make("p", "", `${fact.says} `, make("span", "enc-part__detail", places.refs(fact.evidence)))));
}

function steps({ next_action: next, missing_fact: missing, verify }) {
  const rows = [];
  if (next !== null) rows.push(make("div", "enc-step", make("h3", "", "Do now"), make("p", "", next)));
  if (missing !== null) rows.push(make("div", "enc-step", make("h3", "", "The fact that is missing"), make("p", "", missing.ask), missing.command && commandBlock(missing.command)));
  if (verify !== null) rows.push(make("div", "enc-step", make("h3", "", "Then check that it helped"), make("p", "", verify.expect), verify.command && commandBlock(verify.command)));
  return rows.length ? make("div", "enc-steps", rows) : null;
}
