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
  const fromDisk = location.protocol === "file:"; // there Chromium refuses entries, and knows handles alone
  const taken = items.map((item) => ({
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.getAsFile(),
    handle: (fromDisk && item.getAsFileSystemHandle?.()) || null,
  }));
  const found = [];
  for (const { entry, file, handle } of taken) {
    if (entry?.isDirectory) found.push(...(await (handle ? filesOfHandle(await handle) : filesBelow(entry))));
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

async function filesOfHandle(folder, path = folder.name) {
  const found = [];
  for await (const entry of folder.values()) {
    const name = `${path}/${entry.name}`;
    if (entry.kind === "directory") found.push(...(await filesOfHandle(entry, name)));
    else found.push({ name, blob: await entry.getFile() });
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
