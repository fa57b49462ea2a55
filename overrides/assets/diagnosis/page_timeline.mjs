// What each rank printed about the failure -> a table, with the ranks and kinds to choose from.

import { make } from "./page_dom.mjs";
import { KIND } from "./words.mjs";

const MOST_ROWS = 300;

// Make the section; null when there is nothing to put in order.
export function timelineSection(timeline, places) {
  if (timeline.length === 0) return null;
  const ordered = byRank(timeline);
  const body = make("tbody", "", ordered.slice(0, MOST_ROWS).map((event) => row(event, places)));
  const head = make("thead", "", make("tr", "", ["Rank", "Time", "Line", "What", "Text"].map((name) => column(name))));
  const caption = make("caption", "enc-hidden", "What each rank printed about the failure");
  const table = make("table", "enc-timeline", caption, head, body);
  const more = ordered.length > MOST_ROWS ? make("p", "enc-quiet", `${ordered.length - MOST_ROWS} further rows are left out.`) : null;
  const caveat = "Times are as the log prints them. Clocks of two hosts can differ by more than the failure took, and what is buffered is stamped late: trust the order within one file only.";
  return make("section", "enc-timeline-part", make("h3", "", "Timeline by rank"), make("p", "enc-quiet", caveat), filters(timeline, body), make("div", "enc-timeline__room", table), more);
}

function column(name) {
  const cell = make("th", "", name);
  cell.scope = "col";
  return cell;
}

// The rank that started it first, then by number, then what has no rank; a rank's own lines keep their order.
function byRank(timeline) {
  const first = new Set(timeline.filter(({ kind }) => kind === "initiating").map(({ rank }) => rank));
  const place = (rank) => (rank === null ? Infinity : first.has(rank) ? -1e9 + rank : rank);
  return timeline.map((event, i) => [event, i]).sort(([a, i], [b, j]) => (place(a.rank) === place(b.rank) ? i - j : place(a.rank) < place(b.rank) ? -1 : 1)).map(([event]) => event);
}

function row({ rank, time, file, line, kind, text }, places) {
  const made = make("tr", `enc-kind--${kind}`);
  made.dataset.rank = rank ?? "";
  made.dataset.kind = kind;
  const cells = [rank ?? "–", time ?? "–", places.ref({ file, line }), KIND.get(kind) ?? kind, make("code", "", text)];
  ["Rank", "Time", "Line", "What", "Text"].forEach((name, i) => {
    const cell = make("td", "", typeof cells[i] === "number" ? String(cells[i]) : cells[i]);
    cell.dataset.label = name;
    made.append(cell);
  });
  return made;
}

function filters(timeline, body) {
  const ranks = [...new Set(timeline.map(({ rank }) => rank).filter((rank) => rank !== null))].sort((a, b) => a - b);
  const kinds = [...new Set(timeline.map(({ kind }) => kind))];
  if (ranks.length < 2 && kinds.length < 2) return null;
  const rank = choice("Rank", ranks.map((number) => [String(number), String(number)]));
  const kind = choice("What", kinds.map((name) => [name, KIND.get(name) ?? name]));
  const apply = () => {
    for (const shown of body.rows) {
      const fits = [[rank, shown.dataset.rank], [kind, shown.dataset.kind]];
      shown.hidden = fits.some(([{ lastChild: { value } }, own]) => value !== "all" && value !== own);
    }
  };
  rank.addEventListener("change", apply);
  kind.addEventListener("change", apply);
  return make("p", "enc-filters", rank, " ", kind);
}

function choice(label, values) {
  const select = make("select", "", [["all", "all"], ...values].map(([value, text]) => {
    const option = make("option", "", text);
    option.value = value;
    return option;
  }));
  return make("label", "", `${label} `, select);
}
