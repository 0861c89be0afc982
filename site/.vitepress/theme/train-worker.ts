import { type Callbacks, train } from "reins";
import { curveOf } from "./curve-callbacks.ts";
import type { TrainReport, TrainRequest } from "./demo.ts";

const report = (message: TrainReport) => postMessage(message);

addEventListener("message", async ({ data: { webgpu, ...data } }: MessageEvent<TrainRequest>) => {
  try {
    if (webgpu) await (await import("reins/tensor/webgpu")).enableWebGPU();
    const callbacks: Callbacks = curveOf((step, value) => report({ kind: "point", step, value }), data.steps);
    const trained = await train({
      ...data,
      evalEpisodes: 10,
      callbacks,
      onProgress: ({ steps, stepsPerSecond }) => report({ kind: "progress", step: steps, stepsPerSecond }),
    });
    report({ kind: "done", mean: trained.return.mean, episodes: trained.return.episodes });
  } catch (error) {
    report({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
});
