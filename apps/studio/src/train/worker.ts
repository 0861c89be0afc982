import { setBackend } from "reins";
import type { WorkerCommand, WorkerMessage } from "./messages.ts";
import { TrainingJob } from "./training-job.ts";

const say = (message: WorkerMessage) =>
  postMessage(message, message.kind === "saved" ? { transfer: [message.bytes.buffer] } : undefined);

// The only backend of a page; `--backend wasm` gives the same numbers in Node.
setBackend("wasm");
const job = new TrainingJob(say);

addEventListener("message", ({ data }: MessageEvent<WorkerCommand>) => {
  if (data.do !== "begin") return job.tell(data);
  job.go(data).catch((error: Error) => say({ kind: "failed", why: error.message }));
});
