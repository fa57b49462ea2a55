// Copy buttons: a text, or a text with a page's full address in the place of {url}. Without a script they are hidden.
// One listener on the document serves every page, however it was loaded. Valid as a module and as a classic script.
{
  const SHOWN_MS = 2000;
  const root = document.documentElement;

  /** Return the text that a button copies. */
  const textOf = (button) => {
    const { copy, copyHref } = button.dataset;
    return copyHref === undefined ? copy : copy.replaceAll("{url}", () => new URL(copyHref, document.baseURI).href);
  };

  /** Write to the clipboard, also where its interface is missing: on http and in a downloaded site. */
  const write = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  };

  /** Say it to those who do not see the button. */
  const say = (text) => {
    let live = document.getElementById("enc-copy-status");
    if (!live) {
      live = document.createElement("div");
      live.id = "enc-copy-status";
      live.className = "enc-hidden";
      live.setAttribute("role", "status");
      document.body.append(live);
    }
    live.textContent = text;
  };

  const shown = new WeakMap();

  const copy = async (button) => {
    const label = shown.get(button)?.label ?? button.textContent;
    clearTimeout(shown.get(button)?.timer);
    let answer = "Copied";
    try {
      await write(textOf(button));
      button.dataset.copied = "";
    } catch {
      answer = "Not copied";
    }
    button.textContent = answer;
    say(answer);
    const timer = setTimeout(() => {
      button.textContent = label;
      delete button.dataset.copied;
      shown.delete(button);
    }, SHOWN_MS);
    shown.set(button, { label, timer });
  };

  if (!root.classList.contains("enc-js")) {
    root.classList.add("enc-js");
    document.addEventListener("click", (event) => {
      const button = event.target.closest?.(".enc-copy");
      if (button) copy(button);
    });
  }
}
