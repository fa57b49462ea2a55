// What the page says of the parts of a diagnosis, in words.

export const STATUS = new Map([
  ["established", ["established", "A line of this log says it."]],
  ["supported", ["supported", "Lines of this log point to it; none of them settles it."]],
  ["not_in_log", ["not in this log", "No line of this log says it."]],
]);

export const OUTCOME = new Map([
  ["failed", "The job failed"],
  ["cancelled", "The job was ended from outside"],
  ["succeeded", "The job came to its end"],
  ["cut_off", "The log breaks off"],
  ["no_failure_found", "No failure found in this log"],
  ["not_a_job_log", "This does not look like the log of a job"],
]);

export const KIND = new Map([
  ["initiating", "Started it"],
  ["accusation", "Names another"],
  ["secondary", "Also failed"],
  ["collateral", "Echo"],
  ["exit", "Exit"],
]);

// Say who started it.
export function sayWho(who) {
  if (who.all_ranks) return "All ranks at once";
  if (who.ranks.length) return counted("Rank", who.ranks);
  if (who.local_ranks.length) return counted("Local rank", who.local_ranks);
  if (who.pids.length) return counted("Process", who.pids, "es");
  if (who.hosts.length) return counted("Host", who.hosts);
  return who.file === null ? "Nobody is named" : "No rank is named";
}

// Say several things with the noun before them: "Rank 2", "Ranks 0, 1 and 5".
export function counted(noun, things, plural = "s") {
  return `${noun}${things.length > 1 ? plural : ""} ${listed(things)}`;
}

// Join with commas and one "and"; of many, say the first and how many more there are.
export function listed(things, most = 12) {
  const shown = things.length > most ? [...things.slice(0, most), `${things.length - most} more`] : things;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

// Say a number of bytes.
export function sayBytes(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power > 1 ? 1 : 0)} ${["", "kB", "MB", "GB"][power]}`;
}

// Say how long ago a day was, `2026-11-30`.
export function sayAge(day) {
  const days = Math.floor((Date.now() - Date.parse(day)) / 86_400_000);
  return days < 1 ? "" : days < 60 ? ` (${days} ${days === 1 ? "day" : "days"} old)` : ` (${Math.floor(days / 30)} months old)`;
}

// Say what the diagnosis comes to in one sentence, for those who hear it.
export function sayVerdict({ outcome, who, what, unclassified }) {
  const name = what.entries[0]?.title ?? (unclassified ? `${unclassified.exception}, which no entry knows` : "");
  const sure = what.entries.length ? `, ${STATUS.get(what.status)[0]}` : "";
  const whose = who.status === "not_in_log" ? "" : ` ${sayWho(who)}, ${STATUS.get(who.status)[0]}.`;
  return `${OUTCOME.get(outcome)}.${name ? ` ${name}${sure}.` : ""}${whose}`;
}
