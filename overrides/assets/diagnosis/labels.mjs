// Clean lines -> labelled lines: launchers' prefixes off, who speaks, and when. Twin: generator/diagnosis/labels.py.

import { LineShape } from "./index.mjs";
import { HEADER } from "./quoted.mjs";
import { clip, indentOf, isShorter, strip } from "./text.mjs";

const MOST_PREFIXES = 6;
const FRONT = 160; // characters of a line in which its time is looked for
const LONGEST_FRONT = 80;
const MOST_FRONTS = 8;
const TASK_SHARE = 2; // `3: ` is a task's label only where at least one line in so many has it
const GLUED = /\[rank[0-9]{1,6}\]:|\[[EWF][0-9 .:]{0,24} ?ProcessGroup[A-Za-z]{2,12}\.cpp:/u;
const MPIRUN = /\[[0-9]{1,6},[0-9]{1,6}\]<(?:stdout|stderr|stddiag)>:/u;
const RANK_FILE = /^(?:[^\n]{0,200}[._-])?[Rr][Aa][Nn][Kk][_.-]?([0-9]{1,6})(?:\.[A-Za-z]{1,8}){0,3}\n?$/u;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// Learn labels of no known shape: what stands before a traceback's header and before its first frame alike.
function frontsIn(texts, prefixes) {
  const found = new Set();
  for (let i = 0; i + 1 < texts.length; i++) {
    const [[file, , text], [other, , after]] = [texts[i], texts[i + 1]];
    if (file !== other || !text.endsWith(HEADER) || GLUED.test(text)) continue;
    const front = bared(text, prefixes, new Map()).slice(0, -HEADER.length);
    if (isShorter(front, 2) || !isShorter(front, LONGEST_FRONT + 1) || strip(front) === "") continue;
    if (!bared(after, prefixes, new Map()).startsWith(`${front}  File "`)) continue;
    const escaped = front.replace(/ +$/u, "").replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
    found.add(escaped.replace(/[0-9]+/gu, "[0-9]{1,9}"));
  }
  const fronts = [...found].slice(0, MOST_FRONTS);
  return fronts.map((front) => new LineShape({ id: "front", pattern: `(${front})(?: |$)`, needs: [], gives: ["pod"] }));
}

// Take the prefixes off every line; texts are [file, line number, cleaned text].
export function label(texts, index) {
  const known = index.shapes.get("prefixes");
  const prefixes = [...known, ...frontsIn(texts, known)];
  let lines = texts.map(([file, number, text]) => labelled(file, number, text, prefixes));
  const tasks = lines.filter((line) => line.labels.has("task") && !line.labels.has("worker")).length;
  const spoken = lines.filter((line) => line.text !== "").length;
  if (tasks > 0 && tasks * TASK_SHARE < spoken) {
    const plain = prefixes.filter((shape) => shape.id !== "srun-label");
    lines = lines.map((line, i) => {
      const isTask = line.labels.has("task") && !line.labels.has("rank");
      return isTask ? labelled(line.file, line.number, texts[i][2], plain) : line;
    });
  }
  for (const line of lines) date(line, index.shapes.get("times"));
  return lines;
}

// A line: its file's place among those given, number, text (prefixes and all), body (what stands behind them), labels,
// rank, time (microseconds since the year began) and stamp (the time as printed); null where not known.
function labelled(file, number, written, prefixes) {
  const labels = new Map();
  const tag = MPIRUN.exec(written); // a line that a process wrote in parts has one before each
  const end = tag === null ? 0 : tag.index + tag[0].length;
  const text = tag === null ? written : written.slice(0, end) + written.slice(end).replaceAll(tag[0], "");
  let body = bared(text, prefixes, labels);
  const glued = labels.has("rank") ? null : GLUED.exec(body);
  if (glued !== null && glued.index > 0) {
    body = bared(body.slice(glued.index), prefixes, labels);
  }
  const indented = body.slice(0, indentOf(body)) + collapse(body);
  return { file, number, text: collapse(text), body: indented, labels, rank: null, time: null, stamp: null };
}

// Return what keeps the lines of one process together.
export function streamOf({ file, rank, labels }) {
  const part = (name) => labels.get(name) ?? "";
  return `${file} ${rank} ${part("pid")}${part("local")}${rank === null ? part("pod") : ""}`;
}

// Return a text with one blank for each run of them, and none at its ends.
export function collapse(text) {
  return strip(text).replace(/ {2,}/gu, " ");
}

function bared(text, prefixes, labels) {
  let body = text;
  for (let count = 0; count < MOST_PREFIXES; count++) {
    const shorter = withoutPrefix(body, prefixes, labels);
    if (shorter === body) break;
    body = shorter;
  }
  return body;
}

function withoutPrefix(body, prefixes, labels) {
  for (const shape of prefixes) {
    const found = shape.findAtStart(body);
    if (found === null || found.text === "") continue;
    for (const [name, part] of found.parts) labels.set(name, part);
    labels.set(`by-${shape.id}`, "");
    return body.slice(found.text.length);
  }
  return body;
}

function date(line, times) {
  const front = clip(line.text, FRONT);
  for (const shape of times) {
    const found = shape.find(front);
    if (found === null) continue;
    const part = (name, otherwise) => found.parts.get(name) || otherwise;
    const month = part("month", "1");
    const months = MONTHS.includes(month) ? MONTHS.indexOf(month) + 1 : Number(month);
    const seconds = Number(part("hour", 0)) * 3600 + Number(part("minute", 0)) * 60 + Number(part("second", 0));
    const fraction = (part("fraction", "") + "000000").slice(0, 6);
    line.time = ((months * 31 + Number(part("day", 1))) * 86_400 + seconds) * 1_000_000 + Number(fraction);
    line.stamp = found.text.replace(/^[ [:\]]+|[ [:\]]+$/gu, "");
    return;
  }
}

// Collect what the lines say of ranks, processes and their number; a map that contradicts itself is left out.
export function readWorld(lines, index) {
  const pids = new Map();
  const locals = new Map();
  const sizes = [];
  const starts = [];
  const speakers = [];
  const seen = []; // pid and local rank, where the rank is not told
  let rank = null;
  for (const line of lines) {
    const said = firstSaid(index.shapes.get("maps"), line.body);
    if (said.has("world") && !said.has("group_rank")) sizes.push(Number(said.get("world")));
    if (said.has("peers")) sizes.push(Number(said.get("peers")) + 1);
    if (said.has("rank")) {
      const own = Number(said.get("rank"));
      speakers.push([line.file, line.number, own]);
      const pid = said.get("pid") ?? line.labels.get("pid") ?? "";
      if (pid !== "") addTo(pids, pid, own);
      if (pid !== "" || said.has("world")) starts.push([line.file, line.number, own, pid]);
      if (said.has("pid") && line.labels.has("local")) addTo(locals, line.labels.get("local"), own);
    }
    if (said.has("local") && said.has("pid") && !said.has("rank")) seen.push([said.get("pid"), said.get("local")]);
    if (line.labels.has("rank") && line.labels.has("local")) {
      addTo(locals, line.labels.get("local"), Number(line.labels.get("rank")));
    }
    const table = firstSaid(index.shapes.get("summary"), line.body);
    if (table.has("rank")) {
      rank = Number(table.get("rank"));
      addTo(locals, table.get("local"), rank);
    } else if (table.has("pid") && rank !== null) {
      addTo(pids, table.get("pid"), rank);
    }
  }
  const byLocal = singles(locals);
  const hosts = new Set(lines.map(({ labels }) => labels.get("pod") || labels.get("host")));
  hosts.delete(undefined);
  for (const [pid, local] of seen) addTo(pids, pid, byLocal.get(local) ?? Number(local));
  const size = sizes.length ? sizes.reduce((a, b) => Math.max(a, b)) : null;
  return {
    size,
    byPid: singles(pids),
    byLocal,
    byPod: aloneInPods(lines, speakers, size), // only where each pod holds one rank of the whole job
    starts, // [file, line number, rank, pid, empty where unknown] of each line with which a process begins
    oneHost: hosts.size <= 1, // no line but of one host or pod: a local rank is the rank
    speakers, // [file, line number, rank] of each line in which a process says which rank it is
    contradictory: [...pids.values()].some((ranks) => ranks.size > 1),
  };
}

// Return which pod is which rank, where there are as many pods as ranks and each says one of its own.
function aloneInPods(lines, speakers, size) {
  const said = new Map(speakers.map(([file, number, rank]) => [`${file} ${number}`, rank]));
  const ofPods = lines.filter(({ labels }) => labels.has("pod"));
  const pods = new Map(ofPods.map(({ labels }) => [labels.get("pod"), new Set()]));
  for (const { file, number, labels } of ofPods) {
    const own = said.get(`${file} ${number}`) ?? labels.get("rank");
    if (own !== undefined) addTo(pods, labels.get("pod"), Number(own));
  }
  const told = singles(pods);
  const everyone = told.size === pods.size && new Set(told.values()).size === told.size && told.size === size;
  return everyone ? told : new Map();
}

// Say for each line which rank wrote it, where that is known.
export function assignSpeakers(lines, world, names) {
  const ofFile = names.map((name) => RANK_FILE.exec(name.replaceAll("\\", "/").split("/").at(-1)));
  const mixed = new Set(lines.filter((line) => isOfSeveral(line, ofFile[line.file])).map((line) => line.file));
  for (const line of lines) {
    line.rank = speakerOf(line.labels, world);
    const named = ofFile[line.file];
    if (line.rank === null && named !== null && !mixed.has(line.file)) line.rank = Number(named[1]);
  }
}

// Whether a line shows that a file named after a rank holds more than that rank's output.
function isOfSeveral({ labels }, named) {
  if (named === null) return false;
  if (labels.has("relay") || (labels.has("by-torch-logger") && !labels.has("rank"))) return true;
  return labels.has("rank") && Number(labels.get("rank")) !== Number(named[1]);
}

// Return the rank that labels tell, the surest first; a relay's line has none but that of the text it hands on.
function speakerOf(labels, world) {
  if (labels.has("rank")) return Number(labels.get("rank"));
  if (labels.has("relay")) return null;
  if (labels.has("inner_rank") && !labels.has("group_rank")) return Number(labels.get("inner_rank"));
  if (world.byPid.has(labels.get("pid") ?? "")) return world.byPid.get(labels.get("pid") ?? "");
  if (labels.has("task")) return Number(labels.get("task"));
  return world.byLocal.get(labels.get("local") ?? "") ?? world.byPod.get(labels.get("pod") ?? "") ?? null;
}

function firstSaid(shapes, text) {
  for (const shape of shapes) {
    const said = shape.read(text);
    if (said !== null) return said;
  }
  return new Map();
}

function addTo(sets, key, value) {
  if (!sets.has(key)) sets.set(key, new Set());
  sets.get(key).add(value);
}

function singles(sets) {
  return new Map([...sets].filter(([, ranks]) => ranks.size === 1).map(([key, [rank]]) => [key, rank]));
}
