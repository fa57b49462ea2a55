// Labelled lines -> how processes ended, what progress was made, restarts. Twin: generator/diagnosis/endings.py.

import { strip } from "./text.mjs";
import { exactNumber } from "./values.mjs";

const SIGNALS = new Map([
  ["Terminated", -15], ["Killed", -9], ["Segmentation fault", -11], ["Aborted", -6], ["Bus error", -7],
  ["Illegal instruction", -4], ["Out Of Memory", -9], ["SIGTERM", -15], ["SIGKILL", -9], ["SIGSEGV", -11],
  ["SIGABRT", -6], ["SIGBUS", -7], ["SIGINT", -2], ["SIGHUP", -1], ["SIGILL", -4], ["SIGFPE", -8],
]);
const SHELL_SIGNALS = [1, 2, 6, 7, 9, 11, 15]; // told as 128 and the signal
const MOST_TASKS = 4096n;
const HEADS = ["Failures:", "Root Cause (first observed failure):"];

// Find how processes ended, what progress was made and where the job began again.
//
// An exit is {line, code, rank, local, pid, host, time, claimed}; null where not told. A negative code is a signal's.
export function readEndings(lines, world, index) {
  const told = { exits: [], progress: [], finishes: [], restarts: [], tabled: new Map() };
  readTables(lines, index, told);
  for (const line of lines) {
    if (told.tabled.has(line)) continue;
    readExit(line, world, index, told);
    const step = stepOf(line, index);
    if (step !== null) told.progress.push({ line, ...step });
    if (index.shapes.get("finishes").some((shape) => shape.read(line.body) !== null)) told.finishes.push(line);
    if (index.shapes.get("restarts").some((shape) => shape.read(line.text) !== null)) told.restarts.push(line);
  }
  return told;
}

function exitOf(line, code, rank, said, claimed = false) {
  const [local, pid, host, time] = ["local", "pid", "host", "time"].map((name) => said.get(name) ?? null);
  return { line, code, rank, local, pid, host, time, claimed };
}

function stepOf(line, index) {
  for (const shape of index.shapes.get("progress")) {
    const said = shape.read(line.body);
    if (said !== null) return { step: numberIn(said, "step"), total: numberIn(said, "total") };
  }
  return null;
}

// Read torchrun's tables of failed processes; keep which line is about which process.
function readTables(lines, index, told) {
  let current = null;
  let [first, inside] = [false, false];
  for (const line of lines) {
    const body = strip(line.body);
    if (HEADS.includes(body)) {
      [inside, first, current] = [true, body.startsWith("Root"), null];
    } else if (inside && body.startsWith("=====") && current !== null) {
      [inside, current] = [false, null];
    } else if (inside && /^\[[0-9]{1,6}\]:$/u.test(body)) {
      current = exitOf(line, null, null, new Map(), first);
      told.exits.push(current);
    }
    if (inside && current !== null) {
      told.tabled.set(line, current);
      for (const shape of index.shapes.get("summary")) readField(shape.read(line.body), line, current);
    }
  }
}

function readField(said, line, current) {
  if (said === null) return;
  if (said.has("rank")) current.rank = Number(said.get("rank"));
  for (const name of ["local", "pid", "host", "time"]) current[name] = said.get(name) ?? current[name];
  if (said.has("code")) [current.code, current.line] = [Number(said.get("code")), line];
}

function readExit(line, world, index, told) {
  for (const shape of index.shapes.get("exits")) {
    const said = shape.read(line.body);
    if (said === null || !(said.has("code") || said.has("signal"))) continue;
    const code = codeIn(said);
    for (const rank of ranksIn(said, world)) told.exits.push({ ...exitOf(line, code, rank, said), time: null });
    return;
  }
}

function codeIn(said) {
  let code = numberIn(said, "code");
  if (code === null) {
    code = SIGNALS.get(said.get("signal")) ?? (/^[0-9]+$/u.test(said.get("signal")) ? 0 - Number(said.get("signal")) : null);
  }
  return code !== null && SHELL_SIGNALS.includes(code - 128) ? 128 - code : code;
}

function ranksIn(said, world) {
  if (said.has("tasks")) return said.get("tasks").split(",").flatMap(tasksIn);
  if (world.byPid.has(said.get("pid"))) return [world.byPid.get(said.get("pid"))];
  if (said.has("task")) return [Number(said.get("task"))];
  return [said.has("local") ? rankOfLocal(said.get("local"), world) : null];
}

function rankOfLocal(local, { byLocal, oneHost, size }) {
  const alone = oneHost && byLocal.size === 0 && Number(local) < (size ?? 0) ? Number(local) : null;
  return byLocal.get(local) ?? alone;
}

function tasksIn(part) {
  const found = /^([0-9]+)(?:-([0-9]*))?$/u.exec(part);
  if (found === null) return [];
  const low = BigInt(found[1]);
  const high = BigInt(found[2] || low);
  const last = high < low + MOST_TASKS ? high : low + MOST_TASKS;
  const tasks = [];
  for (let task = low; task <= last; task++) tasks.push(exactNumber(task));
  return tasks;
}

function numberIn(said, name) {
  return said.has(name) ? Number(said.get(name)) : null;
}
