// Lines -> attempts: where a restarted job began again, so that each attempt is judged by its own lines.

import { compareNumbers, compareTexts } from "./text.mjs";

// Part the lines of every file at each restart; the last attempts of all files are one.
export function split(lines, told, world) {
  const byFile = new Map();
  for (const line of lines) {
    if (!byFile.has(line.file)) byFile.set(line.file, []);
    byFile.get(line.file).push(line);
  }
  const cuts = new Map([...byFile.keys()].map((file) => [file, cutsOf(file, lines, told, world)]));
  const most = Math.max(0, ...[...cuts.values()].map((places) => places.length));
  const attempts = Array.from({ length: most + 1 }, () => []);
  for (const [file, own] of byFile) {
    const places = cuts.get(file);
    for (const line of own) {
      attempts[most - places.length + places.filter((place) => line.number >= place).length].push(line);
    }
  }
  return attempts.filter((attempt) => attempt.length > 0);
}

// Return the numbers of the lines with which a new attempt begins: processes start after others have ended.
function cutsOf(file, lines, told, world) {
  const failed = told.exits.filter(({ line, code }) => line.file === file && code !== 0 && code !== null);
  const restarts = told.restarts.filter((line) => line.file === file);
  const stopped = [...failed.map(({ line }) => line.number), ...restarts.map((line) => line.number)];
  const died = lines.filter((line) => line.file === file && isLastWord(line)).map((line) => line.number);
  const starts = world.starts.filter((start) => start[0] === file);
  starts.sort((a, b) => compareNumbers(a.slice(1, 3), b.slice(1, 3)) || compareTexts(a[3], b[3]));
  const found = [];
  let pids = new Map();
  let begun = 0;
  for (const [, number, rank, pid] of starts) {
    const known = pids.get(rank);
    const isBetween = (other) => begun < other && other < number;
    const again = pid === "" ? known !== undefined : known !== pid;
    const renewed = known !== undefined && (pid === "" || known !== pid);
    if ((again && stopped.some(isBetween)) || (renewed && died.some(isBetween))) {
      found.push(number);
      [begun, pids] = [number, new Map()];
    }
    pids.set(rank, pid);
  }
  return found;
}

// Whether a process's last words begin: the hook that labels them runs when an exception ends it.
function isLastWord({ body, labels }) {
  return labels.has("by-torch-rank") && body.startsWith("Traceback (most recent call last):");
}
