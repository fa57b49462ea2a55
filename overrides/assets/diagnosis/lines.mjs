// The bytes of a piece of a log -> its text as templates see it; the twin of generator/diagnosis/lines.py.

import { lengthOf } from "./text.mjs";

const LOST_SHARE = 5; // text of which more than one character in so many is no text is no log
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
const LOST_ESCAPES = /\[[0-9]{1,3}(?:;[0-9]{1,3}){0,7}m(?!\]|(?:s|in)(?![A-Za-z]))/g; // `[5m]` and `[12ms` are times
const UNSEEN =
  /[\x00-\x08\x0d-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const ODD_BLANKS = /[\t\x0b\x0c\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const ODD = /[^\n -~]/;
const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

// Decode a piece and return its text; several pieces joined by LF are cleaned each for itself.
export function clean(data) {
  return singleBlanks(visible(data).replace(LOST_ESCAPES, ""));
}

// Return the text in which a scan looks for literals: as `clean`, but an escape that lost its ESC stays.
export function searched(data) {
  return singleBlanks(visible(data));
}

// Return the text of one piece as `clean` does, but with its blanks as they are.
export function plain(data) {
  return visible(data).replace(LOST_ESCAPES, "");
}

// Return the characters of a piece, escapes and all.
export function decoded(data) {
  return UTF_8.decode(data);
}

// Whether so many characters of texts stand for bytes that are no text that they are data, not a log.
export function isUnreadable(texts) {
  const lost = texts.reduce((sum, text) => sum + text.split("\ufffd").length - 1, 0);
  return lost * LOST_SHARE > texts.reduce((sum, text) => sum + lengthOf(text), 0);
}

function visible(data) {
  const text = decoded(data);
  return ODD.test(text) ? text.replace(ESCAPES, "").replace(UNSEEN, "").replace(ODD_BLANKS, " ") : text;
}

function singleBlanks(text) {
  const single = text.replace(/ {2,}/g, (run, at, whole) => {
    const end = at + run.length;
    if (end === whole.length || whole[end] === "\n") return "";
    return at === 0 || whole[at - 1] === "\n" ? run : " ";
  });
  return withoutBlankEnd(single.replaceAll(" \n", "\n"));
}

function withoutBlankEnd(text) {
  return text.endsWith(" ") ? text.slice(0, -1) : text;
}
