// Text -> the same without what should not be handed on: tokens, e-mails, addresses, hosts, home folders. Twin of redact.py.
// Masks what it knows by its form, and the hosts that a diagnosis names; it cannot know every secret.

// Return what masks a text; shapes are those of the index, [{id, pattern, gives}].
export function redactor(shapes, hosts) {
  const names = hosts.filter((host) => host.length > 2 && host !== "localhost").sort((a, b) => b.length - a.length);
  const rules = shapes.map(({ id, pattern, gives }) => [new RegExp(pattern, "gu"), 1 + gives.indexOf("keep"), 1 + gives.indexOf("tail"), `<${id}>`]);
  return (text) => {
    for (const name of names) text = text.replaceAll(name, "<host>");
    for (const [pattern, keep, tail, mask] of rules) {
      text = text.replace(pattern, (...found) => ((keep && found[keep]) || "") + mask + ((tail && found[tail]) || ""));
    }
    return text;
  };
}
