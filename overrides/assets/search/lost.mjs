// The page for an address that leads nowhere: goes on where the address holds an id, else looks its words up.

import { siteBase } from "./dialog.mjs";

const ID = /^(?:mlfe[-_]?)?([0-9]{4})(?:[-_]([0-9]{1,4}))?$/;
const ENDING = /\.(?:html?|md|json|yaml|yml|txt)$/;

// Call once the search boxes have their behaviour.
export async function mountLost() {
  const box = document.querySelector("[data-enc-lost]");
  if (box === null) return;
  const parts = partsOf(location.href, siteBase());
  for (const address of addressesIn(parts)) {
    const target = new URL(address, siteBase());
    const found = await fetch(target, { method: "HEAD" }).catch(() => null);
    if (found?.ok) return location.replace(target.href + location.hash);
  }
  const query = box.querySelector("[data-enc-query]");
  query.value = wordsIn(parts);
  query.dispatchEvent(new Event("input", { bubbles: true }));
}

// Return the parts of an address below the site's root, lower-case and decoded.
export function partsOf(address, root) {
  const path = new URL(address).pathname;
  const below = path.startsWith(root.pathname) ? path.slice(root.pathname.length) : path;
  return below.split("/").map(decoded).filter(Boolean);
}

function decoded(part) {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

// Return the permanent addresses that the parts may mean, the last part first, a signature's before its entry's.
export function addressesIn(parts) {
  const found = [...parts].reverse().map((part) => ID.exec(part.replace(ENDING, "").trim()));
  return found.filter(Boolean).flatMap(([, number, k]) => [...(k ? [`r/${number}-${Number(k)}/`] : []), `r/${number}/`]);
}

// Return the words of the last part, or of the last two when the last says little.
export function wordsIn(parts) {
  const words = parts.map((part) => part.replace(ENDING, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim()).filter((word) => word && word !== "index");
  const last = words.at(-1) ?? "";
  return (last.includes(" ") ? last : words.slice(-2).join(" ")).slice(0, 200);
}
