// The page of a diagnosis, or the box for a log on another page: takes a log in, runs the job, shows the answer.
// Keeps nothing and asks no server for anything. Of the parts a box may lack those that a log needs not.

import { Job } from "./job.mjs";
import { Site, make } from "./page_dom.mjs";
import { exportSection } from "./page_export.mjs";
import { droppedFiles, namedFiles } from "./page_files.mjs";
import { Places } from "./page_places.mjs";
import { helpCard, passedOver, restOf } from "./page_rest.mjs";
import { timelineSection } from "./page_timeline.mjs";
import { verdictCard } from "./page_verdict.mjs";
import { readHash } from "./share.mjs";
import { counted, sayAge, sayBytes, sayVerdict } from "./words.mjs";

const IN_FIELD = 1_000_000; // characters; a longer log would make the field itself slow
const PASTED = "pasted log";

// Give the page its behaviour; given: {engine, index, site, command, signals, examples}.
export function mountDiagnosis(given) {
  const root = document.querySelector("[data-diagnose]");
  if (root) new DiagnosePage(root, given);
}

class DiagnosePage {
  constructor(root, given) {
    const part = (name) => root.querySelector(`[data-log="${name}"]`);
    this.given = given;
    this.root = root;
    this.isBox = root.dataset.diagnose === "box";
    this.site = new Site(root, given);
    this.form = part("form");
    this.field = part("field");
    this.pickers = [part("picker"), part("folder")].filter(Boolean);
    this.chosenList = part("chosen");
    this.running = part("running");
    this.bar = part("bar");
    this.status = part("status");
    this.result = part("result");
    this.dropSign = part("drop");
    this.chosen = []; // what was chosen or dropped: [{name, blob}]
    this.pasted = null; // what the field's text was before the field changed its line ends
    this.job = null;
    this.places = null;
    if (part("hash")) part("hash").textContent = given.hash;
    if (part("changed")) part("age").textContent = sayAge(part("changed").dateTime);
    this.form.addEventListener("submit", (event) => (event.preventDefault(), this.run()));
    this.field.addEventListener("paste", (event) => this.paste(event));
    this.field.addEventListener("input", () => this.typed());
    for (const picker of this.pickers) picker.addEventListener("change", () => this.take(namedFiles(picker.files)));
    part("pick")?.addEventListener("click", () => part("picker").click());
    part("pick-folder")?.addEventListener("click", () => part("folder").click());
    part("clear")?.addEventListener("click", () => this.clear());
    part("cancel").addEventListener("click", () => this.cancel());
    for (const button of root.querySelectorAll("[data-example]")) {
      button.addEventListener("click", () => this.example(given.examples[Number(button.dataset.example)]));
    }
    addEventListener("keydown", (event) => this.key(event), { capture: true }); // before the theme turns the page at n and p
    if (this.isBox) return;
    this.listenForDrops();
    addEventListener("hashchange", () => this.shared());
    this.shared();
    if (!location.hash) this.field.focus({ preventScroll: true });
  }

  // Input

  paste(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length && !text) {
      event.preventDefault();
      this.take(namedFiles(files));
    } else if (text.length > IN_FIELD) {
      event.preventDefault();
      this.field.value = "";
      this.take([{ name: PASTED, blob: new Blob([text]) }]);
    } else if (text) {
      const whole = this.field.selectionStart === 0 && this.field.selectionEnd === this.field.value.length;
      setTimeout(() => {
        this.pasted = whole ? text : null;
        this.run();
      });
    }
  }

  typed() {
    this.pasted = null;
    this.touched = true;
    this.choose([]);
  }

  take(chosen) {
    if (chosen.length === 0) return;
    this.choose(chosen);
    this.run();
  }

  async drop(transfer) {
    const [text, holdsFiles] = [transfer.getData("text/plain"), transfer.types.includes("Files")];
    try {
      const files = await droppedFiles(transfer);
      if (files.length === 0 && holdsFiles) this.refuse("There is no file in what was dropped.");
      else this.take(files.length || !text ? files : [{ name: PASTED, blob: new Blob([text]) }]);
    } catch {
      this.wipe();
      this.refuse('This browser does not read a dropped folder on this page. Press "Choose a folder" instead.');
    }
  }

  choose(chosen) {
    this.chosen = chosen;
    if (!this.chosenList) return;
    this.chosenList.replaceChildren(...chosen.slice(0, 20).map(({ name, blob }) => make("li", "", `${name}, ${sayBytes(blob.size)}`)));
    if (chosen.length > 20) this.chosenList.append(make("li", "", `${chosen.length - 20} more`));
    this.chosenList.hidden = chosen.length === 0;
  }

  example({ files }) {
    this.pasted = null;
    this.field.value = files.length === 1 ? files[0].text : "";
    this.choose(files.map(({ name, text }) => ({ name, blob: new Blob([text]) })));
    this.run();
  }

  listenForDrops() {
    let inside = 0;
    const show = (change) => {
      inside = change === 0 ? 0 : inside + change;
      this.dropSign.hidden = inside <= 0;
    };
    const holds = (event) => event.dataTransfer?.types.includes("Files") || (event.dataTransfer?.types.includes("text/plain") && event.target !== this.field);
    document.addEventListener("dragenter", (event) => holds(event) && show(1));
    document.addEventListener("dragleave", (event) => holds(event) && show(-1));
    document.addEventListener("dragover", (event) => holds(event) && event.preventDefault());
    document.addEventListener("drop", (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      show(0);
      this.drop(event.dataTransfer);
    });
  }

  key(event) {
    if (document.getElementById("__search")?.checked || (this.isBox && !this.root.contains(event.target))) return;
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === this.field) this.run();
    else if (event.key === "Escape") this.job ? this.cancel() : this.clear();
    else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && ["n", "p"].includes(event.key)) this.say(this.places?.step(event.key === "n" ? 1 : -1) ?? "");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The job

  run() {
    const text = this.pasted ?? this.field.value;
    const chosen = this.chosen.length ? this.chosen : text.trim() ? [{ name: PASTED, blob: new Blob([text]) }] : [];
    if (chosen.length === 0) {
      this.say("Paste a log or choose a file first.");
      this.field.focus();
      return;
    }
    this.stop();
    this.wipe();
    this.touched = false;
    this.running.hidden = false;
    this.result.setAttribute("aria-busy", "true");
    this.progress(0);
    this.say(`Reading ${chosen.length === 1 ? chosen[0].name : `${chosen.length} files`}`);
    try {
      this.job = new Job(this.given, chosen, {
        progress: (share) => this.progress(share),
        answer: (answer, passed) => this.show(answer, passed),
        refused: (reason) => this.refuse(reason),
      });
    } catch (error) {
      this.refuse(`This browser lets no worker start here: ${error.message}`);
    }
  }

  progress(share) {
    const percent = Math.floor(100 * share);
    this.bar.value = percent;
    this.bar.nextElementSibling.textContent = `${percent} %`;
  }

  stop() {
    this.job?.cancel();
    this.job = null;
    this.running.hidden = true;
    this.result.removeAttribute("aria-busy");
  }

  cancel() {
    this.stop();
    this.say("Cancelled. Nothing was kept.");
    this.field.focus();
  }

  refuse(reason) {
    this.stop();
    this.say(reason);
    this.result.replaceChildren(make("p", "enc-refusal", reason));
    this.result.hidden = false;
  }

  // Output

  show(answer, passed) {
    this.stop();
    const { diagnosis, timeline } = answer;
    this.places = new Places(answer);
    const evidence = this.places.section();
    const verdict = verdictCard(diagnosis, this.site, this.places);
    const all = [verdict, helpCard(answer, this.site), passedOver(passed), evidence, ...restOf(diagnosis, this.site, this.places), timelineSection(timeline, this.places), exportSection(diagnosis, this.site)];
    this.result.replaceChildren(...all.filter(Boolean));
    this.result.hidden = false;
    this.say(sayVerdict(diagnosis) + (passed.length ? ` ${passed.length} ${passed.length === 1 ? "file was" : "files were"} passed over.` : ""));
    if (this.touched) return; // who types on is not called away
    const heading = verdict.querySelector("h2");
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }

  // Show what a link names: the entries and the ranks. The log it came from is not in it.
  shared() {
    const named = readHash(location.hash);
    if (named === null) return;
    this.stop();
    this.wipe();
    const found = named.ids.map((id) => [id, this.site.ownerOf(id)]);
    const items = found.map(([id, entry]) => make("li", "", entry ? [this.site.link(`${entry.url}#${id.toLowerCase()}`, entry.title), ` ${id}`] : `${id}, which this copy of the encyclopedia does not know`));
    const heading = make("h2", "enc-verdict__outcome", "A diagnosis that was shared");
    const who = named.ranks.length ? make("p", "", make("strong", "", counted("Rank", named.ranks)), " started it.") : null;
    const note = "The link holds these ids and ranks and nothing of the log. Paste the log to see the evidence.";
    this.result.replaceChildren(make("div", "enc-verdict", heading, who, items.length ? make("ul", "", items) : null, make("p", "enc-quiet", note)));
    this.result.hidden = false;
    const first = found.find(([, entry]) => entry)?.[1].title;
    this.say(`A shared diagnosis${first ? `: ${first}` : ""}.`);
  }

  wipe() {
    this.places = null;
    this.result.replaceChildren();
    this.result.hidden = true;
  }

  clear() {
    this.stop();
    this.wipe();
    this.field.value = "";
    for (const picker of this.pickers) picker.value = "";
    this.pasted = null;
    this.choose([]);
    if (readHash(location.hash)) history.replaceState(null, "", location.pathname + location.search);
    this.say("Cleared.");
    this.field.focus();
  }

  say(text) {
    this.status.textContent = text;
  }
}
