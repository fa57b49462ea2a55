// Read a JSON list of LogQL queries and print, for each, what its log queries look for: {filters, regexps, labels}.
// A query that Grafana's grammar cannot read ends the program.

import { parser } from "@grafana/lezer-logql";
import { text } from "node:stream/consumers";

const queries = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(queries.map(read)));

function read(query) {
  const found = [];
  const tree = parser.parse(query);
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`at ${node.from} of ${query}`);
      const said = () => query.slice(node.from, node.to);
      if (node.name === "Selector") found.push({ filters: [], regexps: [], labels: [] });
      const last = found.at(-1);
      if (node.name === "LineFilter") {
        if (!said().startsWith("|~")) throw new Error(said());
        last.filters.push(unquoted(said().slice(2)));
      } else if (node.name === "LabelParser") last.regexps.push(unquoted(said().replace(/^regexp/, "")));
      else if (node.name === "LabelFilter" && node.node.parent?.name === "PipelineStage") last.labels.push(said().split(" or ").map((one) => one.trim().split(" ")));
    },
  });
  return found;
}

function unquoted(said) {
  return JSON.parse(said.trim());
}
