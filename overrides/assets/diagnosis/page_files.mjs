// What was picked or dropped -> files with their names, [{name, blob}]: a folder as all that lies in it, in the order of paths.

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

// Name files of a picker; those of a folder by their path in it.
export function namedFiles(files) {
  return [...files].map((blob) => ({ name: blob.webkitRelativePath || blob.name, blob })).sort(byName);
}

// Name what was dropped, folders read to their ends. Call it while the drop is handled: later the items are gone.
// Rejects where the browser gives no way into a folder.
export async function droppedFiles(transfer) {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const taken = items.map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
  const found = [];
  for (const { entry, file } of taken) {
    if (entry?.isDirectory) found.push(...(await filesBelow(entry)));
    else if (file !== null) found.push({ name: file.name, blob: file });
  }
  return found.sort(byName);
}

async function filesBelow(folder) {
  const found = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory) found.push(...(await filesBelow(entry)));
    else found.push({ name: entry.fullPath.replace(/^\//, ""), blob: await new Promise((done, failed) => entry.file(done, failed)) });
  }
  return found;
}

// A reader gives some entries at a time, and none when it has given all.
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
