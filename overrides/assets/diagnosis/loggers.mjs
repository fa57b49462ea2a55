// Which lines a logger wrote, and which as a warning or worse. Twin: generator/diagnosis/loggers.py.

import { clip } from "./text.mjs";

const LOGGED = /(?:^|[^A-Za-z])(?:ERROR|WARNING|WARN|EXCEPTION|CRITICAL)(?:[^A-Za-z]|$)/u;
const LEVEL_FIRST =
  /^ *(?:[|:-] )?(?:INFO|ERROR|WARNING|WARN|CRITICAL)(?::| [|:-] )|^ {12,40}(?:INFO|ERROR|WARNING|CRITICAL) /u;
const LOGGERS = [
  "by-python-logger", "by-logging-basic", "by-json-logger", "by-json-rank-level", "by-json-level-rank",
  "by-letter-logger", "by-deepspeed-logger", "by-clock", "by-level", "by-rich-logger",
];

// Whether a logger wrote the line.
export function isRecord({ labels, body }) {
  return LOGGERS.some((name) => labels.has(name)) || LEVEL_FIRST.test(body);
}

// Whether a logger wrote the line as a warning or worse, so that a traceback behind it is part of it.
export function isLogged(line) {
  if (!isRecord(line)) return false;
  const level = (line.labels.get("level") ?? "").slice(0, 1).toUpperCase();
  return ["W", "E", "C", "F"].includes(level) || LOGGED.test(clip(line.text, 200));
}
