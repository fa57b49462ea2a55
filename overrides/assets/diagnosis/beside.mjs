// Verdicts -> what stands beside the answer: echoes, other failures, what only looks bad, what the log lacks.
// Parts the events that name what happened into those that may, and those that only echo what is known.
// Twin: generator/diagnosis/beside.py.

import { isFolded, ranksText, statusOf } from "./asking.mjs";
import { byPlace } from "./match.mjs";
import { ascending, compareTexts } from "./text.mjs";
import { ESTABLISHED } from "./verdict.mjs";

export const MOST_EVIDENCE = 3;

// Return {causes, echoes}: the causes that stand beside the first, itself in front, and the echoes in the order of lines.
export function partCauses(verdict) {
  const causes = verdict.causes.filter((event) => !isEcho(event, verdict));
  const echoes = [...verdict.collateral, ...verdict.causes.filter((event) => isEcho(event, verdict))];
  return { causes, echoes: echoes.sort(byPlace) };
}

// Whether what is a cause only for want of a better one has a better one beside it.
function isEcho({ role, slug, rank }, { causes: [first], collateral, ranks, allRanks }) {
  if (role !== "either" || first.role === "either" || slug === first.slug) return false;
  if (statusOf(first) === ESTABLISHED || collateral.some((echo) => echo.slug === slug)) return true;
  return ranks.length > 0 && !allRanks && rank !== null && !ranks.includes(rank);
}

// Group the echoes by what they are.
export function grouped(echoes, names) {
  const groups = new Map();
  for (const event of echoes) {
    const kind = event.slug ?? "";
    if (!groups.has(kind)) groups.set(kind, []);
    groups.get(kind).push(event);
  }
  const place = ({ line }) => ({ file: names[line.file], line: line.number });
  const sorted = [...groups].sort(([a], [b]) => compareTexts(a, b));
  return sorted.map(([kind, events]) => ({
    kind,
    ranks: [...new Set(events.map((event) => event.rank).filter((rank) => rank !== null))].sort(ascending),
    count: events.length,
    first: place(events[0]),
    last: place(events.at(-1)),
  }));
}

// Name failures that are there too, but did not start it.
export function secondaryOf(verdict, entries, shown) {
  const named = new Set(entries.map((entry) => entry.slug));
  return notesOf(verdict.secondary, named, () => "It is there too, but did not start the failure.", shown);
}

// Name what looks bad and is not, and what the program survived.
export function noticesOf(verdict, index, shown) {
  const reason = ({ role }) => (role === "benign" ? "Harmless." : "The program went on after it.");
  return notesOf(verdict.notices, new Set(), reason, shown).map(({ slug, because, evidence }) => {
    return { slug, title: index.cards.get(slug).title, because, evidence };
  });
}

function notesOf(events, named, reason, shown) {
  const told = new Map();
  for (const event of events) {
    const { slug } = event;
    if (slug === null || named.has(slug)) continue;
    if (!told.has(slug)) told.set(slug, { slug, because: reason(event), evidence: [] });
    const { evidence } = told.get(slug);
    if (evidence.length < MOST_EVIDENCE) evidence.push(shown(event.line));
  }
  return [...told.values()];
}

// Say which ranks are not in the log.
export function lacks(scene, outcome) {
  const { seen, world, records } = scene;
  const silent = Array.from({ length: world.size ?? 0 }, (_, rank) => rank).filter((rank) => !seen.has(rank));
  const told = [];
  if (silent.length > 0 && outcome === "failed") {
    told.push(`Nothing in the log is from ${ranksText(silent)} of ${world.size}.`);
  }
  if (records.some((record) => record.open)) told.push("The log ends, or is broken off, inside a traceback.");
  if (isFolded(scene)) told.push("Ray has folded equal lines of different workers into one.");
  if (world.contradictory) {
    told.push("The log gives one process several ranks; what it says of processes was left out.");
  }
  return told;
}
