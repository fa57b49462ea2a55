// An entry's page: a link to something folded or behind a tab opens it, and ticks of the checklist stay in this browser.
// Everything works without this file; it only saves clicks. Valid as a module and as a classic script.
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

  const mount = () => {
    restore();
    reveal();
  };

  addEventListener("hashchange", reveal);
  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".enc-check input")) keep(event.target);
  });
  if (globalThis.document$) globalThis.document$.subscribe(mount);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mount);
  else mount();
}
