// An answer and what it was drawn from -> what a page shows beside it: surroundings of its lines, and who wrote what when.

import { clip } from "./text.mjs";

const AROUND = 3; // lines shown on each side
const LONGEST_SHOWN = 2000; // characters of a line

// Return each line that an answer names with those round it: [{file, line, before, text, after}]; files as kept.
export function contextOf(diagnosis, files) {
  const shown = new Map();
  for (const place of placesIn(diagnosis)) {
    const kept = files.find(({ name, lines }) => name === place.file && lines.some(([number]) => number === place.line));
    const key = `${place.line} ${place.file}`;
    if (kept !== undefined && !shown.has(key)) shown.set(key, surroundings(kept, place));
  }
  return [...shown.values()];
}

function placesIn({ who, what, why, unclassified, secondary, notices }) {
  const evidence = [...what.entries, ...why, ...secondary, ...notices].flatMap((part) => part.evidence);
  return [...evidence, unclassified, who].filter((place) => place !== null && place.line !== null);
}

function surroundings({ name, lines }, place) {
  const same = lines.map(([number], i) => [number, i]).filter(([number]) => number === place.line).map(([, i]) => i);
  const isMeant = (i) => place.text !== undefined && isShownAs(lines[i][1], place.text);
  const at = same.find(isMeant) ?? same.find((i) => lines[i][1] !== "") ?? same[0];
  return {
    file: name,
    line: place.line,
    before: neighbours(lines, at, -1).reverse(),
    text: clip(lines[at][1], LONGEST_SHOWN),
    after: neighbours(lines, at, 1),
  };
}

// Walk from a line to those next to it in the file: what was not kept ends it.
function neighbours(lines, at, step) {
  const found = [];
  let number = lines[at][0];
  for (let i = at + step; i >= 0 && i < lines.length && found.length < AROUND; i += step) {
    if (lines[i][0] === number) continue; // another part of the same line
    if (lines[i][0] !== number + step) break;
    number = lines[i][0];
    found.push({ line: number, text: clip(lines[i][1], LONGEST_SHOWN) });
  }
  return found;
}

function isShownAs(text, shown) {
  return text.replaceAll(" ", "").startsWith(shown.replaceAll(" ", ""));
}

// Return who wrote what, in the order of lines, files merged by time where it is known; echoes once for each rank and kind:
// [{rank, time, file, line, kind: "initiating" | "accusation" | "secondary" | "exit" | "collateral", text}].
export function timelineOf([scene, verdict], names) {
  const told = new Map();
  const add = (kind, line, rank) => told.has(line) || told.set(line, { kind, line, rank });
  const addAll = (kind, events) => events.forEach((event) => add(kind, event.line, event.rank));
  const { witness, unclassified, causes, secondary, ranks, allRanks } = verdict;
  const first = [witness, unclassified, ...causes].filter((event) => event !== null);
  const isOfIt = ({ rank }) => ranks.length === 0 || allRanks || ranks.includes(rank);
  const named = witness ?? unclassified ?? causes[0] ?? null; // the line by which an answer names who it was
  const isFirst = (event) => [named, unclassified].includes(event) || (event.slug === causes[0]?.slug && (isOfIt(event) || isOfKernel(event)));
  addAll("accusation", scene.matcher.events.filter((event) => event.role === "accusation"));
  const weak = causes.every((event) => event.role === "either"); // nothing says more
  addAll("initiating", first.filter((event) => isFirst(event) && (weak || event.role !== "either")));
  addAll("collateral", first.filter((event) => event.role === "either"));
  addAll("secondary", [...secondary, ...first]);
  scene.told.exits.forEach(({ line, rank }) => add("exit", line, rank));
  addAll("collateral", firstOfEach(verdict.collateral));
  const clock = clockOf(scene.lines);
  const ordered = [...told.values()].sort((a, b) => compareMoments(clock.get(a.line), clock.get(b.line)));
  const alone = ranks.length === 1 && !allRanks ? ranks[0] : null; // whose a line is that names nobody
  return ordered.map(({ kind, line, rank: said }) => {
    const rank = said ?? (kind === "initiating" ? alone : null);
    const text = clip(line.body === "" ? line.text : line.body.trim(), LONGEST_SHOWN);
    return { rank, time: line.stamp, file: names[line.file], line: line.number, kind, text };
  });
}

// Whether it is a line of the kernel or a scheduler, which knows processes and no ranks.
function isOfKernel({ role, rank }) {
  return role === "confirmation" && rank === null;
}

function firstOfEach(events) {
  const first = new Map();
  for (const event of events) {
    const key = `${event.rank} ${event.slug}`;
    if (!first.has(key)) first.set(key, event);
  }
  return [...first.values()];
}

// Tell when each line was written, as far as needed to merge files: the latest time up to it in its file, whose own
// order stays, since a launcher's table repeats earlier times.
function clockOf(lines) {
  const moments = new Map();
  const latest = new Map();
  lines.forEach((line, place) => {
    latest.set(line.file, Math.max(latest.get(line.file) ?? -1, line.time ?? -1));
    moments.set(line, { time: latest.get(line.file), place });
  });
  return moments;
}

function compareMoments(a, b) {
  return a.time - b.time || a.place - b.place;
}
