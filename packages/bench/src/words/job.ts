import { algorithms, grpo, sft } from "@reins/algorithms";
import { families } from "@reins/language";
import { cacheFolder, keep } from "@reins/recipes/book";
import { imitated, reinforced, type WordsOptions } from "@reins/recipes/words";
import {
  type Arm,
  type Cell,
  gridTask,
  gridTokens,
  longer,
  methods,
  model,
  reinforcement,
  type WordsTask,
} from "./tasks.ts";

/** One run: an arm of a task, a method, or a cell of the grid. */
export type Job =
  | {
      readonly kind: "arm";
      readonly task: WordsTask;
      readonly arm: Arm;
      readonly learningRate: number;
      readonly seed: number;
    }
  | { readonly kind: "method"; readonly method: string; readonly learningRate: number; readonly seed: number }
  | { readonly kind: "cell"; readonly cell: Cell; readonly seed: number };

/** What a run came to: held-out accuracy before, on the way, and at the end. */
export interface Done {
  readonly start: number;
  readonly curve: readonly number[];
  readonly seconds: number;
}

const looks = 5;

/** Performs a job. The model before it depends on the seed as well. */
export async function perform(job: Job): Promise<Done> {
  const task = job.kind === "arm" ? job.task : gridTask;
  const options: WordsOptions = { ...task, ...model, family: families[task.family], from: job.seed };
  const start = await keep(imitated(options), cacheFolder());
  const began = performance.now();
  const { curve, before } = await reinforced({
    ...options,
    start,
    seed: job.seed,
    greedy: true,
    problems: 300,
    looks,
    ...plan(job),
  });
  return { start: before, curve, seconds: (performance.now() - began) / 1e3 };
}

/** What learns, and how much it may write. */
function plan(job: Job) {
  switch (job.kind) {
    case "cell":
      return { algorithm: inCell(job.cell), steps: gridTokens };
    case "method": {
      const options = { ...methods[job.method], learningRate: job.learningRate };
      return {
        algorithm: algorithms[job.method](options as never),
        steps: job.method === "sft" ? longer : reinforcement,
      };
    }
    case "arm":
      return {
        algorithm: algorithmOf(job.arm, job.learningRate),
        steps: job.arm === "grpo" ? reinforcement : longer,
      };
  }
}

const algorithmOf = (arm: Arm, learningRate: number) =>
  arm === "grpo"
    ? grpo({ learningRate, groups: 32, plays: 16, epochs: 1, clipNorm: 1 })
    : sft({ learningRate, batch: 128 });

/** Two passes over each batch, so that clipping has something to hold. */
const inCell = ({ baseline, clip, aggregation, filter }: Cell) =>
  grpo({
    learningRate: 4e-4,
    groups: 32,
    plays: 8,
    epochs: 2,
    minibatches: 2,
    clipNorm: 1,
    baseline,
    scale: "none",
    hold: clip === "none" ? "none" : "clip",
    clipHigh: clip === "0.2 to 0.28" ? 0.28 : 0,
    aggregation,
    filter,
  });
