import { algorithms } from "@reins/algorithms";
import { Run, text } from "@reins/core";
import { stream } from "@reins/core/random";
import { characters, type LanguageModel, textStage } from "@reins/language";
import { cacheFolder, findBook, keep } from "@reins/recipes/book";
import { imitationStart } from "@reins/recipes/language";
import type { Tree } from "@reins/tensor";
import { type Contest, model, problems, tokens } from "./plan.ts";
import { wellFormed, writing } from "./task.ts";

/** One run. */
export interface Job {
  readonly method: string;
  readonly options: { readonly [option: string]: number };
  readonly candidates: number;
  readonly tokens: number;
  readonly seed: number;
}

/** The result of a run: on held-out prompts, completions sampled before and after training. */
export interface Done {
  /** Mean utility before and after training. */
  readonly start: number;
  readonly end: number;
  /** Share of prompts on which the completion after training has the higher utility; equal ones count half. */
  readonly wins: number;
  /** Share of completions without the form of the demonstrations, after training. */
  readonly malformed: number;
  readonly updates: number;
}

/** A point of a method's grid: learning rate and strength. */
export interface Point {
  readonly learningRate: number;
  readonly strength: number;
}

/** A run of a method. */
export const jobOf = (
  { method, options, candidates, strength: { option } }: Contest,
  { learningRate, strength }: Point,
  seed: number,
): Job => ({
  method,
  options: { ...options, [option]: strength, learningRate },
  candidates,
  tokens,
  seed,
});

const stageOf = (task: ReturnType<typeof writing>, start: LanguageModel) =>
  textStage({ task, level: 1, start, tokenizer: characters(task.alphabet), rows: 64 });

/** The weights that all methods with one seed start from, and how these and others are evaluated on the same prompts. */
async function startOf(seed: number) {
  const task = writing(2);
  const sft = imitationStart({ task, levels: [1], from: seed, ...model });
  const { value: start } = await keep(sft, cacheFolder(findBook()));
  const stage = stageOf(task, start);
  const evaluate = (weights: Tree) =>
    stage.evaluate(weights, { episodes: problems, greedy: false, seed: stream(seed, "scores") });
  return { start, evaluate, before: await evaluate(start.params) };
}

/** Starts by seed: their evaluation is compiled once for all runs of this process. */
const starts = new Map<number, ReturnType<typeof startOf>>();

/** Runs a job. */
export async function perform({ method, options, candidates, tokens, seed }: Job): Promise<Done> {
  if (!starts.has(seed)) starts.set(seed, startOf(seed));
  const { start, evaluate, before } = await starts.get(seed)!;
  const task = writing(candidates);
  const { prompt, answer } = task.longest;
  const spec = { id: task.id, observation: text(prompt), action: text(answer) };
  const run = new Run({
    algorithm: algorithms[method](options),
    env: { spec, stage: stageOf(task, start) },
    steps: tokens,
    seed,
  });
  await run.advanceAsync();
  const after = await evaluate(run.process.acting!.weights);
  const against = after.returns.map((u, i) => (1 + Math.sign(u - before.returns[i])) / 2);
  const answers = after.answers!.map((a) => a.answer);
  return {
    start: before.mean,
    end: after.mean,
    wins: against.reduce((a, b) => a + b, 0) / against.length,
    malformed: answers.filter((a) => !wellFormed(a)).length / answers.length,
    updates: run.metrics.updates,
  };
}
