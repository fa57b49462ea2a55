// An entry's page: a link to something folded or behind a tab opens it, ticks of the checklist stay in this browser, and
// the box for a log gets the script that reads logs. Valid as a module and as a classic script.
{
  const KEY = "encyclopedia:checks";

  /** Open what holds the element that the address names. */
  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target || !target.closest(".enc-entry")) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const tab = target.closest(".enc-tab");
    if (tab) {
      const name = [...tab.classList].find((word) => word.startsWith("enc-tab--")).slice("enc-tab--".length);
      document.getElementById(`read-${name}`).checked = true;
    }
    target.scrollIntoView();
  };

  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  };

  /** Name a tick by the page's permanent id, so that it survives a move of the page. */
  const nameOf = (box) => `${document.querySelector(".enc-id").textContent}/${box.id}`;

  const restore = () => {
    const ticked = read();
    for (const box of document.querySelectorAll(".enc-check input")) box.checked = nameOf(box) in ticked;
  };

  const keep = (box) => {
    const ticked = read();
    if (box.checked) ticked[nameOf(box)] = 1;
    else delete ticked[nameOf(box)];
    try {
      localStorage.setItem(KEY, JSON.stringify(ticked));
    } catch {
      // Private windows may refuse; the tick then lasts as long as the page.
    }
  };

  /** Load what reads a log, from this site, when the reader turns to the box; the log itself goes nowhere. */
  const arm = () => {
    const box = document.querySelector("[data-diagnose=box]");
    if (!box || box.dataset.armed) return;
    box.dataset.armed = "true";
    const form = box.querySelector("form");
    const field = box.querySelector("textarea");
    const address = (name) => new URL(`${box.dataset.base}assets/${name}`, document.baseURI).href;
    let [isLoading, isReady, isWanted] = [false, false, false];
    const load = () => {
      if (isLoading) return;
      isLoading = true;
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address("diagnose.css") });
      const script = Object.assign(document.createElement("script"), { src: address("diagnose.js") });
      script.addEventListener("load", () => {
        isReady = true;
        if (isWanted && field.value) form.requestSubmit();
      });
      script.addEventListener("error", () => {
        isLoading = false;
        script.remove();
        box.querySelector("[data-log=status]").textContent = "What reads logs could not be loaded. Press Diagnose to try again.";
      });
      document.head.append(style, script);
    };
    form.addEventListener("focusin", load);
    field.addEventListener("paste", () => (isWanted = true));
    form.addEventListener("submit", (event) => {
      if (isReady) return; // the script has a listener of its own
      event.preventDefault();
      isWanted = true;
      load();
    });
  };

  const mount = () => {
    restore();
    reveal();
    arm();
  };

  addEventListener("hashchange", reveal);
  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".enc-check input")) keep(event.target);
  });
  if (globalThis.document$) globalThis.document$.subscribe(mount);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mount);
  else mount();
}
