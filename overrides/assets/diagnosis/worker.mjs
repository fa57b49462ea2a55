// The worker's side of a diagnosis: what a reader chose comes in, progress and an answer go out. Each worker does one.

import { diagnose } from "./diagnose.mjs";
import { openInputs } from "./inputs.mjs";
import { Refusal } from "./unpack.mjs";

addEventListener("message", ({ data }) => {
  runDiagnosis(data).catch((error) => {
    const known = error instanceof Refusal;
    postMessage({ kind: "refused", text: known ? error.message : `The diagnosis broke off: ${error.message}`, known });
  });
});

async function runDiagnosis({ index, chosen, most }) {
  const onRead = (done, total) => postMessage({ kind: "progress", done, total });
  const { logs, passed, notes } = await openInputs(chosen, most, onRead);
  const answer = await diagnose(logs, JSON.parse(index), () => {});
  answer.diagnosis.gaps.unshift(...notes());
  postMessage({ kind: "answer", answer, passed });
}
