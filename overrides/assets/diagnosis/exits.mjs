// Lines about the end of a process -> the exit codes and signals in them, with what those mean.

const EXIT = /\bexit(?:ed with)?[ _]?(?:code|status)?\)?\s*[:=]?\s*(-?\d{1,3})\b/gi;
const SIGNAL = /\b(?:signal:? (\d{1,2})|SIG(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|SEGV|PIPE|TERM|XCPU|XFSZ|SYS))\b/gi;

// Return [{text, says, address}] for every code in some texts, each once; signals is the table that the page was made with.
export function exitsIn(texts, signals) {
  const found = new Map();
  const bySignal = (number) => signals.find((signal) => signal.number === number);
  const add = (text, signal) => signal && found.set(text, { text, ...signal });
  for (const text of texts) {
    for (const [, digits] of text.matchAll(EXIT)) {
      const code = Number(digits);
      const number = code < 0 ? -code : code > 128 ? code - 128 : 0;
      const signal = number ? bySignal(number) : undefined;
      if (signal) add(`exit code ${code}`, signal);
      else if (code > 0) found.set(`exit code ${code}`, { text: `exit code ${code}`, ...plain(code) });
    }
    for (const [name, digits] of text.matchAll(SIGNAL)) {
      const signal = digits ? bySignal(Number(digits)) : signals.find((one) => one.name === name.toUpperCase());
      if (signal && ![...found.values()].some(({ name }) => name === signal.name)) add(signal.name, signal);
    }
  }
  return [...found.values()];
}

function plain(code) {
  const says =
    code === 1 ? "The program ended itself, in Python mostly with an exception: its traceback stands above."
    : code === 2 ? "The program refused its arguments, or its own code for an error."
    : "The program's own code for an error.";
  return { name: "", says, address: "" };
}
