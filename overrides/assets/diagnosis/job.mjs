// The page's side of a diagnosis: starts a worker from the script's own text, since a page opened from a disk has no other way.

const MOST_BYTES = 4e9;

export class Job {
  // on: {progress(share), answer(answer, passed), refused(text)}; after one of the last two, or cancel, the worker is gone.
  constructor({ engine, index }, chosen, on) {
    this.address = URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
    this.worker = new Worker(this.address);
    this.worker.addEventListener("message", ({ data }) => {
      if (data.kind === "progress") return on.progress(data.total ? Math.min(1, data.done / data.total) : 1);
      this.cancel();
      if (data.kind === "answer") on.answer(data.answer, data.passed);
      else on.refused(data.text);
    });
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.cancel();
      on.refused(`The diagnosis broke off: ${event.message}`);
    });
    this.worker.postMessage({ index, chosen, most: MOST_BYTES });
  }

  cancel() {
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}
