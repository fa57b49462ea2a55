// Files of one job -> their diagnosis: runs the stages one after the other. Twin: generator/diagnosis/diagnose.py.

import { answer } from "./answer.mjs";
import { split } from "./attempts.mjs";
import { decide } from "./decide.mjs";
import { detect } from "./detectors.mjs";
import { readEndings } from "./endings.mjs";
import { assignSpeakers, label, readWorld } from "./labels.mjs";
import { Matcher, byPlace } from "./match.mjs";
import { readRecords } from "./records.mjs";

// Diagnose what was kept of a job's files, [{name, lines: [[number, text]], total, dropped}].
export function examine(files, index) {
  return answer(judge(files, index), files.map((kept) => kept.name), gapsOf(files), index);
}

// Judge each attempt: [scene, verdict] of one after the other.
export function judge(files, index) {
  const texts = files.flatMap((kept, place) => kept.lines.map(([number, text]) => [place, number, text]));
  const lines = label(texts, index);
  const world = readWorld(lines, index);
  assignSpeakers(lines, world, files.map((kept) => kept.name));
  const attempts = split(lines, readEndings(lines, world, index), world);
  return (attempts.length ? attempts : [[]]).map((part) => judgeAttempt(part, world, index));
}

function judgeAttempt(lines, world, index) {
  const told = readEndings(lines, world, index);
  const matcher = new Matcher(lines, readRecords(lines, world, told.tabled), told, world, index);
  matcher.events = [...matcher.events, ...detect(lines, index)].sort(byPlace);
  const scene = { lines, matcher, told, world, index, seen: seenIn(lines, told, world) };
  return [scene, decide(scene)];
}

// Return the ranks whose output is in the log; a launcher's table is none of it.
function seenIn(lines, told, world) {
  const here = new Set(lines.map((line) => `${line.file} ${line.number}`));
  const spoke = lines.filter((line) => line.rank !== null && !told.tabled.has(line)).map((line) => line.rank);
  const began = world.starts.filter(([file, number]) => here.has(`${file} ${number}`)).map(([, , rank]) => rank);
  return new Set([...spoke, ...began]);
}

function gapsOf(files) {
  return files
    .filter((kept) => kept.dropped > 0)
    .map(({ name, dropped }) => `${name}: ${dropped} lines near telling ones were not read, since there were too many.`);
}
