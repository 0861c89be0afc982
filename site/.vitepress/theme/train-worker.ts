import { setBackend, train } from "reins";
import type { TrainReport, TrainRequest } from "./demo.ts";

const report = (message: TrainReport) => postMessage(message);

setBackend("wasm");

addEventListener("message", async ({ data }: MessageEvent<TrainRequest>) => {
  try {
    const trained = await train({
      ...data,
      evalEpisodes: 10,
      onProgress: ({ steps, return: value, stepsPerSecond }) =>
        report({ kind: "progress", step: steps, value, stepsPerSecond }),
    });
    report({ kind: "done", mean: trained.return.mean, episodes: trained.return.episodes });
  } catch (error) {
    report({ kind: "failed", reason: (error as Error).message });
  }
});
