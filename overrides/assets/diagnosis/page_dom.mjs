// Small things of the page of a diagnosis. A text becomes a text node, never markup.

import { STATUS } from "./words.mjs";

// Make an element with children: elements and texts, of which empty ones are left out.
export function make(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
  return made;
}

// Make a word for how sure something is; what it means is said on hovering and to screen readers.
export function statusMark(status) {
  const [word, meaning] = STATUS.get(status);
  const mark = make("span", `enc-sure enc-sure--${status}`, word);
  mark.title = meaning;
  return mark;
}

// Make a command with its copy button.
export function commandBlock(command) {
  const button = make("button", "enc-copy", "Copy");
  button.type = "button";
  button.dataset.copy = command;
  button.setAttribute("aria-label", "Copy the command");
  return make("div", "enc-command", make("pre", "", make("code", "", command)), button);
}

// What the page knows of the site around it.
export class Site {
  // root: the page's element; given: what publishing handed over.
  constructor(root, given) {
    this.base = new URL(root.dataset.base, location.href);
    this.given = given;
    this.parsed = null;
  }

  get index() {
    this.parsed ??= JSON.parse(this.given.index);
    return this.parsed;
  }

  // Return the card of an entry, by slug.
  entryOf = (slug) => this.index.entries.find((entry) => entry.slug === slug);

  // Return the card of the entry that owns a signature.
  ownerOf(signature) {
    const found = this.index.signatures.find(({ id }) => id === signature);
    return found && this.entryOf(found.slug);
  }

  // Turn a public address into one that works from here, also in a copy opened from a disk.
  href(url) {
    const { site } = this.given;
    const [path, hash] = (url.startsWith(site) ? url.slice(site.length) : url).split("#");
    const file = location.protocol === "file:" && (path === "" || path.endsWith("/")) ? "index.html" : "";
    return new URL(path + file + (hash ? `#${hash}` : ""), this.base).href;
  }

  link(url, text) {
    const link = make("a", "", text);
    link.href = this.href(url);
    return link;
  }

  // Link to an entry; one that this index lacks is only named.
  entryLink(slug, anchor = "") {
    const entry = this.entryOf(slug);
    return entry ? this.link(entry.url + anchor, entry.title) : make("span", "", slug);
  }

  draftMark(slug) {
    if (this.entryOf(slug)?.status !== "draft") return null;
    const mark = make("span", "enc-draft", "Draft");
    mark.title = "Not complete yet, and in no count";
    return mark;
  }

  // Open the search with a text in it.
  search(text) {
    const field = document.querySelector("[data-enc-search=dialog] [data-enc-query]");
    field.value = text;
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
