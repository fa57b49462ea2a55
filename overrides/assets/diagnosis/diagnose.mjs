// Files of one job -> their diagnosis: runs the stages one after the other. Twin: generator/diagnosis/diagnose.py.

import { answer } from "./answer.mjs";
import { split } from "./attempts.mjs";
import { decide } from "./decide.mjs";
import { detect } from "./detectors.mjs";
import { readEndings } from "./endings.mjs";
import { makeGate } from "./gate.mjs";
import { readIndex } from "./index.mjs";
import { assignSpeakers, label, readWorld } from "./labels.mjs";
import { decoded, isUnreadable, plain } from "./lines.mjs";
import { Matcher, byPlace } from "./match.mjs";
import { readRecords } from "./records.mjs";
import { scan } from "./scan.mjs";
import { withoutEnd } from "./text.mjs";
import { contextOf, timelineOf } from "./view.mjs";
import { unwrap, widthOf } from "./wraps.mjs";

const ESCAPE = 0x1b;
const ENCODER = new TextEncoder();
const gates = new WeakMap(); // made once for an index

// Diagnose a job's files, [{name, size, chunks()}]: chunks gives Uint8Arrays, and index is its parsed JSON. onProgress
// hears the bytes read and those of all files. Beside the diagnosis stand the surroundings of the lines it names, and a
// timeline.
export async function diagnose(files, index, onProgress = () => {}) {
  const known = readIndex(index);
  const gate = gates.get(known) ?? makeGate(known.literals);
  gates.set(known, gate);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const kept = [];
  let done = 0;
  for (const file of files) {
    const before = done;
    kept.push(await keep(file, gate, (read) => onProgress(before + read, total)));
    done += file.size;
  }
  const names = kept.map((file) => file.name);
  const attempts = judge(kept, known);
  const diagnosis = answer(attempts, names, gapsOf(kept), known);
  return { diagnosis, context: contextOf(diagnosis, kept), timeline: timelineOf(attempts.at(-1), names) };
}

async function keep(file, gate, onProgress) {
  const { pieces, total, dropped } = await scan(file.chunks(), gate, onProgress);
  let parts = pieces.map(({ number, data }) => [number, data]);
  if (parts.some(([, data]) => data.includes(ESCAPE))) parts = uncut(parts);
  const rows = parts.map(([number, data]) => [number, plain(data)]);
  const width = widthOf(rows.map(([, text]) => text));
  const lines = width === null ? rows.map(([number, text]) => [number, withoutEnd(text)]) : unwrap(rows, width);
  return { name: file.name, lines, total, dropped, width };
}

// Join rows that were cut where a program counted escapes as columns; the same rows if none were.
function uncut(parts) {
  const texts = parts.map(([number, data]) => [number, decoded(data)]);
  const width = widthOf(texts.map(([, text]) => text));
  return width === null ? parts : unwrap(texts, width).map(([number, text]) => [number, ENCODER.encode(text)]);
}

// Diagnose what was kept of a job's files, [{name, lines: [[number, text]], dropped, width}].
export function examine(files, index) {
  return answer(judge(files, index), files.map((kept) => kept.name), gapsOf(files), index);
}

// Judge each attempt: [scene, verdict] of one after the other.
export function judge(files, index) {
  const texts = files.flatMap((kept, place) => kept.lines.map(([number, text]) => [place, number, text]));
  const lines = label(texts, index);
  const world = readWorld(lines, index);
  assignSpeakers(lines, world, files.map((kept) => kept.name));
  const told = readEndings(lines, world, index);
  const attempts = split(lines, told, world);
  if (attempts.length <= 1) return [judgeAttempt(lines, told, world, index)];
  return attempts.map((part) => judgeAttempt(part, readEndings(part, world, index), world, index));
}

function judgeAttempt(lines, told, world, index) {
  const records = readRecords(lines, world, told.tabled);
  const matcher = new Matcher(lines, records, told, world, index);
  matcher.events = [...matcher.events, ...detect(lines, index)].sort(byPlace);
  const scene = { lines, matcher, records, told, world, index, seen: seenIn(lines, told, world) };
  return [scene, decide(scene)];
}

// Return the ranks whose output is in the log; a launcher's table is none of it.
function seenIn(lines, told, world) {
  const here = new Set(lines.map((line) => `${line.file} ${line.number}`));
  const spoke = lines.filter((line) => line.rank !== null && !told.tabled.has(line)).map((line) => line.rank);
  const said = world.speakers.filter(([file, number]) => here.has(`${file} ${number}`)).map(([, , rank]) => rank);
  return new Set([...spoke, ...said]);
}

function gapsOf(files) {
  const told = [];
  for (const { name, lines, total, dropped, width } of files) {
    const texts = lines.map(([, text]) => text).filter((text) => text !== "");
    if (total === 0) told.push(`${name}: the file is empty.`);
    else if (texts.length === 0) told.push(`${name}: there is no text in the file.`);
    else if (isUnreadable(texts)) told.push(`${name}: the file is binary, no text.`);
    if (dropped > 0) told.push(`${name}: ${dropped} lines near telling ones were not read, since there were too many.`);
    if (width !== null) told.push(`${name}: rows of ${width} columns were joined to the lines they were cut from.`);
  }
  return told;
}
