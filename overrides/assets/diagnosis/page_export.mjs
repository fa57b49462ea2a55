// A diagnosis -> what a reader takes away: Markdown for an issue, and a link. Both hold nothing of the log unless it is asked for.

import { evidenceMarkdown, toMarkdown } from "./export.mjs";
import { make } from "./page_dom.mjs";
import { redactor } from "./redact.mjs";
import { reportAddress } from "./report.mjs";
import { hashOf } from "./share.mjs";

// Make the section.
export function exportSection(diagnosis, site) {
  const mask = redactor(site.index.shapes.secrets, diagnosis.who.hosts);
  const plain = toMarkdown(diagnosis, site.entryOf, site.given.command);
  const evidence = evidenceMarkdown(diagnosis, mask);
  const field = make("textarea", "enc-ask__field enc-export__field");
  field.rows = Math.min(14, plain.split("\n").length + 1);
  field.spellcheck = false;
  field.setAttribute("aria-label", "Markdown for an issue");
  const copy = make("button", "enc-copy", "Copy as Markdown");
  copy.type = "button";
  const box = make("input");
  box.type = "checkbox";
  box.checked = false;
  const note = make("span", "enc-quiet", "Tokens, e-mail addresses, IP and host names and home folders are masked. Look through the text before you post it: no mask knows every secret.");
  note.hidden = true;
  const report = site.given.issues ? reportLink(diagnosis) : null;
  const say = () => {
    field.value = plain + (box.checked ? evidence : "");
    copy.dataset.copy = field.value;
    note.hidden = !box.checked;
    if (report) report.href = reportAddress(site.given.issues, diagnosis, site.entryOf, box.checked ? evidence : "");
  };
  box.addEventListener("change", say);
  field.addEventListener("input", () => (copy.dataset.copy = field.value));
  say();
  const opt = evidence ? make("p", "", make("label", "", box, " Add the evidence lines, with secrets masked"), " ", note) : null;
  return make("section", "enc-export", make("h3", "", "For an issue"), make("p", "enc-quiet", "Ids, ranks, line numbers and links; no text of your log."), field, opt, make("p", "enc-copies", copy, shareButton(diagnosis, site)), report && make("p", "enc-report", report, make("span", "enc-quiet", " Opens the project's form for a new issue, filled in with ids, ranks and line numbers; the lines too when you added them above. Nothing is sent before you send it there.")));
}

// A link and no more: nothing goes out before the reader follows it.
function reportLink({ what }) {
  const link = make("a", "", what.entries.length ? "Report a wrong match" : "Report a missing match");
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

function shareButton(diagnosis, site) {
  const hash = hashOf(diagnosis);
  if (!hash) return null;
  const page = new URL("diagnose/", location.protocol === "file:" ? site.given.site : site.base).href;
  const button = make("button", "enc-copy", "Copy link");
  button.type = "button";
  button.title = "The link holds the ids of entries and the ranks, nothing else";
  button.dataset.copy = page + hash;
  return button;
}
