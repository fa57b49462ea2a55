// Mends what the theme's script adds to a page. A classic script, so that it also runs from the disk.

// Each copy button stands in a nav of its own; many navs without names are of no help to who jumps between them.
{
  const demote = () => {
    for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  };
  demote();
  new MutationObserver(demote).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
}
