// Readings of metrics over a whole attempt -> events that no single line shows. Twin: generator/diagnosis/detectors.py.

import { SYNTAX } from "./index.mjs";
import { Event } from "./match.mjs";
import { compareTexts } from "./text.mjs";

const NUMBER = "[0-9]{1,30}(?:\\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?";
const VALUE = `["']?(?: ?[:=|] ?| )["']?([-+]?(?:${NUMBER}|[nN]a[nN]|[iI]nf(?:inity)?))(?:[^A-Za-z0-9_.%/]|[.]?$)`;
const LEAST_READINGS = 2;
const RULES = new Map([
  ["metric_turns_nonfinite", turnsNonfinite],
  ["scale_collapse", collapses],
  ["slope", rises],
]);

// Yield an event for each entry whose detector finds what it looks for.
export function* detect(lines, index) {
  for (const { slug, detector } of index.cards.values()) {
    const rule = detector === null || detector.metrics.length === 0 ? undefined : RULES.get(detector.kind);
    if (rule === undefined) continue;
    for (const readings of readingsOf(lines, detector).values()) {
      const line = readings.length < (detector.min_points || LEAST_READINGS) ? null : rule(readings, detector);
      if (line === null) continue;
      yield new Event({ line, role: detector.kind === "slope" ? "benign" : "cause", rank: line.rank, card: slug });
      break;
    }
  }
}

// Collect the readings of each metric and rank, in the order of the lines; a value is null where it is not finite.
function readingsOf(lines, detector) {
  const names = [...detector.metrics].sort((a, b) => [...b].length - [...a].length || compareTexts(a, b));
  const words = names.map((name) => name.replace(SYNTAX, "\\$&")).join("|");
  const pattern = new RegExp(`(?:^|[^A-Za-z0-9_])(${words})${VALUE}`, "u");
  const found = new Map();
  for (const line of lines) {
    const said = pattern.exec(line.body);
    if (said === null) continue;
    const metric = `${said[1]} ${line.rank}`;
    if (!found.has(metric)) found.set(metric, []);
    found.get(metric).push({ line, value: /n/iu.test(said[2]) ? null : Number(said[2]) });
  }
  return found;
}

// Return the line from which on a metric that was finite is not.
function turnsNonfinite(readings) {
  let bad = readings.length;
  while (bad > 0 && readings[bad - 1].value === null) bad--;
  return bad > 0 && bad < readings.length ? readings[bad].line : null;
}

// Return the line at which a scale that only fell reached its floor.
function collapses(readings, { floor, min_points: least }) {
  const values = readings.map((reading) => reading.value).filter((value) => value !== null);
  if (values.length < (least || LEAST_READINGS) || floor === null) return null;
  const falling = values.every((value, i) => i === 0 || value <= values[i - 1]);
  if (!falling || values[0] <= floor || values.at(-1) > floor) return null;
  return readings.find(({ value }) => value !== null && value <= floor).line;
}

// Return the last line of a metric that rose at every reading.
function rises(readings) {
  const rising = readings.every(({ value }, i) => value !== null && (i === 0 || value > readings[i - 1].value));
  return rising ? readings.at(-1).line : null;
}
