// Text -> the same without what should not be handed on: tokens, e-mails, addresses, hosts, home folders. Twin of redact.py.
// Masks what it knows by its form, and the hosts that a diagnosis names; it cannot know every secret.

// Return what masks a text; shapes are those of the index, [{id, pattern, gives}].
export function redactor(shapes, hosts) {
  const names = hosts.filter((host) => host.length > 2 && host !== "localhost").sort((a, b) => b.length - a.length);
  const rules = shapes.map(({ id, pattern, gives }) => [new RegExp(pattern, "gu"), gives.includes("keep"), `<${id}>`]);
  return (text) => {
    for (const name of names) text = text.replaceAll(name, "<host>");
    for (const [pattern, keeps, mask] of rules) {
      text = text.replace(pattern, (...found) => (keeps ? found[1] : "") + mask);
    }
    return text;
  };
}
