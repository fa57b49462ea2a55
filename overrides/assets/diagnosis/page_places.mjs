// Lines of the log on the page: each evidence line in its surroundings, and the way from one to the next.

import { make } from "./page_dom.mjs";

const keyOf = ({ file, line }) => `${file}\n${line}`;

// The evidence lines of one answer, in the order of files and lines.
export class Places {
  constructor({ diagnosis, context, timeline }) {
    this.several = new Set([...context, ...timeline].map(({ file }) => file)).size > 1;
    this.notes = notesOf(diagnosis);
    this.windows = windowsOf(context, this.notes);
    this.marks = [];
    this.byKey = new Map();
  }

  // Make the section with every window; null without evidence.
  section() {
    if (this.windows.length === 0) return null;
    const windows = this.windows.map((lines, i) => {
      const { file } = lines[0];
      const newFile = i === 0 || this.windows[i - 1][0].file !== file;
      const list = make("ol", "enc-log", lines.map((line) => this.line(line)));
      list.style.setProperty("--enc-digits", String(lines.at(-1).line).length);
      return make("div", "enc-log__window", newFile ? make("p", "enc-log__file", file) : make("p", "enc-log__gap", "…"), list);
    });
    const keys = this.marks.length > 1 ? make("p", "enc-quiet enc-keys", make("kbd", "", "n"), " next, ", make("kbd", "", "p"), " previous evidence line.") : null;
    return make("section", "enc-evidence-lines", make("h3", "", "Evidence in the log"), keys, ...windows);
  }

  line(line) {
    const note = this.notes.get(keyOf(line));
    const item = make("li", note ? "enc-log__evidence" : "", make("code", "", note ? make("mark", "", line.text) : line.text || " "));
    item.value = line.line;
    if (note) {
      item.append(make("span", "enc-log__note", note));
      item.tabIndex = -1;
      this.marks.push(item);
      this.byKey.set(keyOf(line), item);
    }
    return item;
  }

  // Name a line, as a button that leads to it where it is shown.
  ref(place) {
    const text = this.several ? `${place.file} line ${place.line}` : `line ${place.line}`;
    if (!this.notes.has(keyOf(place))) return make("span", "enc-at", text);
    const button = make("button", "enc-jump", text);
    button.type = "button";
    button.addEventListener("click", () => this.show(this.byKey.get(keyOf(place))));
    return button;
  }

  refs(places) {
    return places.flatMap((place, i) => [i ? ", " : "", this.ref(place)]);
  }

  // Go to the next (1) or the previous (-1) evidence line and return what to say of it; empty when there is none.
  step(by) {
    if (this.marks.length === 0) return "";
    const at = this.marks.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : this.marks.length - 1) : (at + by + this.marks.length) % this.marks.length;
    this.show(this.marks[next]);
    return `Evidence ${next + 1} of ${this.marks.length}, line ${this.marks[next].value}`;
  }

  show(item) {
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }
}

// Say for each evidence line what it bears out.
function notesOf(diagnosis) {
  const notes = new Map();
  const add = (place, text) => {
    if (place.line !== null && !notes.has(keyOf(place))) notes.set(keyOf(place), text);
  };
  for (const entry of diagnosis.what.entries) entry.evidence.forEach((place) => add(place, entry.title));
  if (diagnosis.unclassified) add(diagnosis.unclassified, "No entry knows this");
  for (const fact of diagnosis.why) fact.evidence.forEach((place) => add(place, fact.says));
  add(diagnosis.who, "Says who started it");
  for (const { evidence } of diagnosis.secondary) evidence.forEach((place) => add(place, "Also failed"));
  for (const { evidence } of diagnosis.notices) evidence.forEach((place) => add(place, "Looks bad, is not the cause"));
  return notes;
}

// Join surroundings that touch or overlap; each line of the log stands there once.
function windowsOf(context, notes) {
  const files = new Map();
  for (const { file, line, before, text, after } of context) {
    const lines = files.get(file) ?? files.set(file, new Map()).get(file);
    for (const one of [...before, { line, text }, ...after]) lines.set(one.line, { file, line: one.line, text: one.text });
  }
  for (const key of notes.keys()) {
    const [file, line] = key.split("\n");
    if (!files.get(file)?.has(Number(line))) notes.delete(key);
  }
  const windows = [];
  for (const lines of files.values()) {
    let window = [];
    for (const line of [...lines.values()].sort((a, b) => a.line - b.line)) {
      if (window.length && line.line > window.at(-1).line + 1) {
        windows.push(window);
        window = [];
      }
      window.push(line);
    }
    windows.push(window);
  }
  return windows;
}
