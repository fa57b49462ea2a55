// Labelled lines -> records: tracebacks with their chain, and exceptions that stand alone. Twin: generator/diagnosis/records.py.

import { streamOf } from "./labels.mjs";
import { isLogged } from "./loggers.mjs";
import { EXCEPTION, FRAME, HEADER, NAME, framesOf, inBox, inField, isOutlived, opensBox } from "./quoted.mjs";
import { indentOf, strip } from "./text.mjs";

const BARE = new RegExp(
  `^ ?(${NAME}(?:Error|Exception|Interrupt|Failure|OutOfMemory))(?:\\([A-Za-z]{1,80}\\))?: ?([^\\n]+)$`,
  "u",
);
const CHAINED = [
  "The above exception was the direct cause of the following exception:",
  "During handling of the above exception, another exception occurred:",
];
const GIVES_UP = /CRITICAL|FATAL|[Ff]atal|[Uu]ncaught|[Uu]nhandled|[Aa]bort|[Cc]rash|[Ff]ailed|[Tt]erminat|[Ee]xit|[Ss]topp/u;
const REMOTE = /RayTaskError(?:\(([A-Za-z0-9_.]{1,80})\))?: [^\n]{0,2000}?\(pid=([0-9]{1,10})/u;
const FATAL = /Fatal Python error: ([^\n]{1,200})$/u;
const SPAWNED = /^-- Process ([0-9]{1,6}) terminated with the following error:/u;
const SYSTEM_PATHS = ["site-packages/", "dist-packages/", "/lib/python", "<frozen ", "/bin/"];
const RETRIED = /will be retried|[Rr]etrying/u;
const NEAR = 8; // lines before a bare exception in which a program may say that it tries again
const WRAPPED = 6; // lines over which a message before a box may go
const FAR = 400; // lines of one stream within which a traceback must come to its end
const CHAIN_GAP = 40;

// Find every traceback and exception; `tabled` says which line of a launcher's table is about which process.
//
// A record has: chain (where it began first, what surfaced last; each {type, text, line, frames: [[file, line]]}), lines,
// rank, logged (the program may have gone on), givesUp (what the logger says of it sounds like the end), hooked (the process ended with it), inSummary (a launcher's table repeats
// it), open (the log ends before it does), torn (the log begins behind its header).
export function readRecords(lines, world, tabled) {
  const streams = new Map();
  for (const line of lines) {
    const stream = streamOf(line);
    if (!streams.has(stream)) streams.set(stream, []);
    streams.get(stream).push(line);
  }
  const found = [...streams.values()].flatMap((stream) => [...recordsOf(stream, world, tabled)]);
  return found.sort((a, b) => a.lines[0].file - b.lines[0].file || a.lines[0].number - b.lines[0].number);
}

function recordOf(chain, lines, rank, more = {}) {
  const not = { logged: false, givesUp: false, hooked: false, inSummary: false, open: false, torn: false };
  return { chain, lines, rank, ...not, ...more };
}

function* recordsOf(stream, world, tabled) {
  let place = 0;
  let spawned = null;
  let repeated = null;
  while (place < stream.length) {
    const line = stream[place];
    const head = SPAWNED.exec(line.body);
    if (head !== null) spawned = world.byLocal.get(head[1]) ?? Number(head[1]);
    if (line.body.trimEnd().endsWith(HEADER)) {
      const quoted = indentOf(line.body) > 0 && place + 1 < stream.length && !FRAME.test(stream[place + 1].body);
      if (quoted && !tabled.has(line)) {
        place++; // an example of one, as doctest prints
        continue;
      }
      const [record, end] = traceback(stream, place, tabled);
      place = end;
      if (spawned !== null && record.rank === null) {
        [record.rank, record.hooked, spawned] = [spawned, true, null];
      }
      const part = splitRemote(record, stream, place, world);
      repeated = part.lines.at(-1);
      yield part;
      continue;
    }
    const drawn = opensBox(line.body) ? drawnAt(stream, place) : null;
    if (drawn !== null) {
      yield drawn;
      place += drawn.lines.length;
      continue;
    }
    const noted = notedOn(line);
    if (noted !== null) yield noted;
    const fatal = FATAL.exec(line.body);
    const bare = BARE.exec(line.body);
    if (fatal !== null) {
      const raised = { type: "Fatal Python error", text: fatal[1], line, frames: [] };
      yield recordOf([raised], [line], line.rank, { hooked: true });
    } else if (bare !== null && line !== repeated && !line.body.startsWith("  ")) {
      const above = tornOff(stream, place);
      const raised = { type: bare[1], text: bare[2], line, frames: framesOf(above.map((part) => part.body)) };
      const logged = stream.slice(Math.max(0, place - NEAR), place).some((before) => RETRIED.test(before.body));
      const more = { logged, inSummary: tabled.has(line), torn: above.length > 0 && above.length === place };
      yield recordOf([raised], [...above, line], line.rank, more);
    }
    place++;
  }
}

// Read a traceback that rich drew as a box.
function drawnAt(stream, place) {
  const read = inBox(stream.slice(place, place + FAR).map((line) => line.body));
  if (read === null) return null;
  const { type, text, frames, length } = read;
  const lines = stream.slice(place, place + length + 1);
  const hooked = lines[0].labels.has("by-torch-rank");
  const head = stream.slice(Math.max(0, place - WRAPPED), place);
  const before = head.find((line) => isOutlived(line.body) || (line === head.at(-1) && isLogged(line)));
  const logged = !hooked && before !== undefined;
  const givesUp = logged && GIVES_UP.test(before.text);
  const raised = { type, text, line: lines.at(-1), frames };
  return recordOf([raised], lines, lines[0].rank, { logged, givesUp, hooked });
}

// Read a traceback that a logger put into a field of its line.
function notedOn(line) {
  const read = inField(line.text);
  if (read === null) return null;
  const { type, text, frames, around } = read;
  return recordOf([{ type, text, line, frames }], [line], line.rank, { logged: true, givesUp: GIVES_UP.test(around) });
}

// Return the lines over an exception that are left of its traceback, whose header is not in the log.
function tornOff(stream, place) {
  let start = place;
  while (start > 0 && place - start < FAR && stream[start - 1].body.startsWith("  ")) start--;
  const above = stream.slice(start, place);
  return framesOf(above.map((line) => line.body)).length > 0 ? above : [];
}

// Return the lines of source that stand under a record's frames: what a program could say, not what it said.
export function codeOf({ lines }) {
  const code = [];
  let depth = null;
  for (const line of lines) {
    if (strip(line.body).startsWith("\u2502")) code.push(line);
    else if (FRAME.test(line.body)) depth = indentOf(line.body);
    else if (depth !== null && strip(line.body) !== "" && indentOf(line.body) <= depth) depth = null;
    else if (depth !== null) code.push(line);
  }
  return code;
}

// Read a traceback and those chained to it; return it and the place behind it.
function traceback(stream, start, tabled) {
  const header = stream[start];
  const chain = [];
  let place = start;
  let end = start + 1;
  let open = false;
  for (;;) {
    const [raised, behind] = oneTraceback(stream, place);
    end = behind;
    if (raised === null) {
      open = true;
      break;
    }
    chain.push(raised);
    const following = chainedTo(stream, end);
    if (following === null) {
      while (end < stream.length && end - start < FAR && goesOn(stream[end].body)) end++;
      break;
    }
    place = following;
  }
  const table = tabled.get(header);
  const hooked = header.labels.has("by-torch-rank");
  const outlived = stream.slice(Math.max(0, start - 2), start).some((line) => isOutlived(line.body));
  const logged = !hooked && start > 0 && (outlived || isLogged(stream[start - 1]));
  const record = recordOf(chain, stream.slice(start, end), table === undefined ? header.rank : table.rank, {
    logged,
    givesUp: logged && GIVES_UP.test(stream[start - 1].text),
    hooked,
    inSummary: table !== undefined,
    open,
    torn: stream.slice(Math.max(0, start - 3), start).some((line) => CHAINED.includes(strip(line.body))),
  });
  return [record, end];
}

// Whether a line behind an exception is more of its message.
function goesOn(body) {
  return indentOf(body) > 0 && strip(body) !== "";
}

// Read one traceback from its header to its exception; null where it has none.
function oneTraceback(stream, start) {
  const base = indentOf(stream[start].body);
  const frames = [];
  let place = start + 1;
  while (place < stream.length && place - start < FAR) {
    const line = stream[place];
    const frame = FRAME.exec(line.body);
    if (frame !== null) {
      frames.push([frame[1], Number(frame[2] ?? 0)]);
    } else if (strip(line.body) !== "" && indentOf(line.body) <= base) {
      const raised = raisedOn(line, frames);
      return [raised, raised === null ? place : place + 1];
    }
    place++;
  }
  return [null, place];
}

function raisedOn(line, frames) {
  const found = EXCEPTION.exec(strip(line.body));
  return found === null ? null : { type: found[1], text: strip(found[2] ?? ""), line, frames };
}

// Return the place of the header that is chained to what ended before this place, or null.
function chainedTo(stream, place) {
  let linked = false;
  for (let here = place; here < Math.min(place + CHAIN_GAP, stream.length); here++) {
    const body = strip(stream[here].body);
    if (CHAINED.includes(body)) linked = true;
    else if (body.endsWith(HEADER)) return linked ? here : null;
  }
  return null;
}

// Part what a driver repeats of a worker's traceback from the driver's own: the worker's rank is told by its pid.
function splitRemote(record, stream, place, world) {
  const last = record.chain.at(-1);
  const remote = last === undefined ? null : REMOTE.exec(last.line.body);
  if (remote === null) return record;
  const frames = [];
  for (let here = place; here < Math.min(place + FAR, stream.length); here++) {
    const line = stream[here];
    const frame = FRAME.exec(line.body);
    if (frame !== null) {
      frames.push([frame[1], Number(frame[2] ?? 0)]);
      continue;
    }
    const raised = strip(line.body) !== "" && indentOf(line.body) === 0 ? raisedOn(line, frames) : null;
    if (raised === null) continue;
    const rank = world.byPid.get(remote[2]) ?? null;
    return { ...record, chain: [raised], lines: [last.line, line], rank, hooked: true };
  }
  return record;
}

// Whether a frame is the job's own code, not the interpreter's nor a library's.
export function isOwnCode(file) {
  return !SYSTEM_PATHS.some((part) => file.includes(part));
}
