// The search boxes of a page: the theme's dialog and the field of the home page. The only search file that touches the page.

import { SearchEngine } from "./engine.mjs";

let engine = null; // one for all boxes and pages; made when a box is first used

// Give every search box of the page its behaviour; safe to call again after the theme replaced the page.
export function mountSearch() {
  for (const box of document.querySelectorAll("[data-enc-search]:not([data-enc-mounted])")) {
    box.dataset.encMounted = "";
    new SearchBox(box);
  }
}

class SearchBox {
  constructor(box) {
    this.box = box;
    this.query = box.querySelector("[data-enc-query]");
    this.status = box.querySelector("[data-enc-status]");
    this.none = box.querySelector("[data-enc-none]");
    this.results = box.querySelector("[data-enc-results]");
    this.toggle = box.dataset.encSearch === "dialog" ? document.getElementById("__search") : null;
    this.hint = this.status.textContent;
    this.asked = 0;
    this.query.addEventListener("focus", () => this.open());
    this.query.addEventListener("input", () => this.ask(this.query.value, true));
    this.query.addEventListener("paste", (event) => this.paste(event));
    box.addEventListener("keydown", (event) => this.key(event));
    const form = this.query.form;
    form?.addEventListener("submit", (event) => (event.preventDefault(), this.follow()));
    form?.addEventListener("reset", () => (this.ask("", false), this.query.focus()));
    if (this.toggle) this.mountDialog();
  }

  mountDialog() {
    this.toggle.addEventListener("change", () => this.toggle.checked && this.query.focus());
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || !["/", "s", "f"].includes(event.key)) return;
      event.preventDefault();
      this.query.focus();
      this.query.select();
    });
    const asked = new URLSearchParams(location.search).get("q");
    if (asked) {
      this.query.value = asked;
      this.open();
      this.query.focus();
      this.ask(asked, false);
    }
  }

  open() {
    if (this.toggle && !this.toggle.checked) this.toggle.checked = true;
    load().catch(() => this.say("The search index could not be loaded"));
  }

  close() {
    if (this.toggle) this.toggle.checked = false;
    this.query.blur();
  }

  // A one-line field loses the line breaks of what is pasted; search for the text as it was.
  paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\r\n]/.test(text.trim())) return; // the input event that follows does it
    if (this.query.tagName === "TEXTAREA") return;
    event.preventDefault();
    this.query.value = text.replace(/\s*[\r\n]+\s*/g, " ").slice(0, 2000);
    this.ask(text, false);
  }

  async ask(text, typing) {
    const turn = ++this.asked;
    if (!text.trim()) return this.show([], this.hint);
    try {
      const found = await (await load()).search(text, { typing });
      if (turn !== this.asked) return; // a newer query has been asked meanwhile
      this.show(found, found.length === 1 ? "1 entry" : `${found.length} entries`, found.length === 0);
    } catch {
      if (turn === this.asked) this.show([], "The search index could not be loaded");
    }
  }

  show(found, status, none = false) {
    this.say(status);
    this.none.hidden = !none;
    this.results.replaceChildren(...found.map((entry) => resultOf(entry)));
  }

  say(text) {
    this.status.textContent = text;
  }

  follow() {
    this.results.querySelector("a")?.click();
  }

  key(event) {
    const links = [this.query, ...this.results.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Escape" && this.toggle) this.close();
    else if (event.key === "ArrowDown" && at >= 0 && this.query.tagName !== "TEXTAREA") links[(at + 1) % links.length].focus();
    else if (event.key === "ArrowUp" && at > 0) links[at - 1].focus();
    else return;
    event.preventDefault();
  }
}

function resultOf({ title, address, summary, status, signature }) {
  const item = element("li", "md-search-result__item");
  const link = element("a", "md-search-result__link");
  link.href = new URL(address + "/" + (signature ? `#${signature.id.toLowerCase()}` : ""), siteBase()).href;
  const article = element("article", "md-search-result__article md-typeset");
  const heading = element("h2", "", title.replaceAll("`", ""));
  if (status === "draft") heading.append(element("span", "enc-chip", "draft"));
  article.append(heading);
  if (signature) article.append(element("p", "enc-search__recognised", `Signature ${signature.id} recognises this line`));
  article.append(element("p", "enc-search__address", address), element("p", "", summary));
  link.append(article);
  item.append(link);
  return item;
}

function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

// The address of the site's root, from the theme's own settings, wherever this page lies.
export function siteBase() {
  const { base } = JSON.parse(document.getElementById("__config").textContent);
  return new URL(base.replace(/\/?$/, "/"), location.href);
}

function load() {
  engine ??= read("index.json").then((base) => new SearchEngine(base, read));
  engine.catch(() => (engine = null));
  return engine;
}

async function read(name) {
  const response = await fetch(new URL("search/" + name, siteBase()));
  if (!response.ok) throw new Error(`${response.status} ${name}`);
  return response.json();
}
