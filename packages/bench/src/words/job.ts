import { grpo, sft } from "@reins/algorithms";
import { families } from "@reins/language";
import { cacheFolder, keep } from "@reins/recipes/book";
import { imitated, reinforced, type WordsOptions } from "@reins/recipes/words";
import {
  type Arm,
  type Cell,
  gridTask,
  gridTokens,
  longer,
  model,
  reinforcement,
  type WordsTask,
} from "./tasks.ts";

/** One run: an arm of a task, or a cell of the grid. */
export type Job =
  | {
      readonly kind: "arm";
      readonly task: WordsTask;
      readonly arm: Arm;
      readonly learningRate: number;
      readonly seed: number;
    }
  | { readonly kind: "cell"; readonly cell: Cell; readonly seed: number };

/** What a run came to: held-out accuracy before, on the way, and at the end. */
export interface Done {
  readonly start: number;
  readonly curve: readonly number[];
  readonly seconds: number;
}

const looks = 6;

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
    problems: 400,
    looks,
    algorithm: job.kind === "cell" ? inCell(job.cell) : algorithmOf(job.arm, job.learningRate),
    steps: job.kind === "cell" ? gridTokens : job.arm === "grpo" ? reinforcement : longer,
  });
  return { start: before, curve, seconds: (performance.now() - began) / 1e3 };
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
