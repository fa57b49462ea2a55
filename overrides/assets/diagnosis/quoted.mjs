// Tracebacks that do not stand in plain lines: in a field of a JSON line, and in the boxes that rich draws.
// Twin: generator/diagnosis/quoted.py.

import { strip } from "./text.mjs";

export const HEADER = "Traceback (most recent call last):";
export const NAME = "(?:[A-Za-z_][A-Za-z0-9_]{0,80}\\.){0,8}[A-Za-z_][A-Za-z0-9_]{0,80}";
export const EXCEPTION = new RegExp(`^(${NAME})(?:\\([A-Za-z]{1,80}\\))?(?:: ?([^\\n]*))?$`, "u");
export const FRAME = /^ *File "([^"]{1,1000})"(?:, line ([0-9]{1,9}))?/u;
const FIELD = /Traceback \(most recent call last\):\\n((?:[^"\\\n]|\\[^\n]){1,4000})/u;
const PLACE = /^\u2502 ([^ :]{1,300}):([0-9]{1,9}) in /u;
const NUMBERED = /^ {0,200}\u2502 (?:\u2771 )?[0-9]{1,9} \u2502/u;
const OUTLIVED = /Exception ignored in|exception was never retrieved|Exception in callback |--- Logging error ---/u;
const STRING = /"[^"]*(?:"|$)|'[^']*(?:'|$)/gu;
const TITLE = "Traceback (most recent call last)";

// Return file and line of each frame among some lines.
export function framesOf(bodies) {
  const frames = bodies.map((body) => FRAME.exec(body)).filter((frame) => frame !== null);
  return frames.map((frame) => [frame[1], Number(frame[2] ?? 0)]);
}

// Read a traceback with its line feeds escaped: type and text of its first exception, frames, the rest; null if none.
export function inField(text) {
  const found = FIELD.exec(text);
  if (found === null) return null;
  const rows = found[1].replaceAll('\\"', '"').split("\\n");
  const raised = rows.map((row) => EXCEPTION.exec(row)).find((one) => one !== null);
  if (raised === undefined) return null;
  return {
    type: raised[1],
    text: strip(raised[2] ?? ""),
    frames: framesOf(rows),
    around: text.slice(0, found.index) + text.slice(found.index + found[0].length),
  };
}

// Return a line of source with other letters in its strings: what a program could print is not printed.
export function withoutStrings(code) {
  return code.replace(STRING, (found) => found.replace(/[^"']/gu, "x"));
}

// Whether the interpreter says that an exception ends nothing: it shows it below and goes on.
export function isOutlived(body) {
  return OUTLIVED.test(body);
}

// Whether a box with a traceback begins.
export function opensBox(body) {
  return strip(body).startsWith("\u256d") && body.includes(TITLE);
}

// Whether a line is one of source, with its number, in such a box.
export function isNumberedCode(body) {
  return NUMBERED.test(body);
}

// Read a box that begins with the first line: type and text of the exception under it, frames, and its place.
export function inBox(bodies) {
  const frames = [];
  for (const [place, body] of bodies.entries()) {
    const text = strip(body);
    const frame = PLACE.exec(text);
    if (frame !== null) {
      frames.push([frame[1], Number(frame[2])]);
    } else if (text.startsWith("\u2570")) {
      const raised = place + 1 < bodies.length ? EXCEPTION.exec(strip(bodies[place + 1])) : null;
      return raised && { type: raised[1], text: strip(raised[2] ?? ""), frames, length: place + 1 };
    } else if (place > 0 && !text.startsWith("\u2502")) {
      return null;
    }
  }
  return null;
}
