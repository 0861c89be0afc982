import type { Claim } from "../claims/claim.ts";
import { recipe } from "../make.ts";
import type { Metric } from "../outcome.ts";
import type { Arm, Recipe } from "../recipe.ts";
import { type Job, type Runner, runTrial } from "./trial.ts";

/** An arm with these values. */
export const arm = (
  name: string,
  values: (
    seed: number,
    settings: { readonly [name: string]: unknown },
    replicate: string,
  ) => { [metric: string]: number },
  more: Partial<Arm> = {},
): Arm => ({
  name,
  run: ({ seed, settings, replicate, budget }) => ({
    values: values(seed, settings, replicate),
    early: [name.length],
    used: budget,
  }),
  ...more,
});

/** A metric that is better when higher, without bounds. */
export const score: Metric = { about: "score", better: "higher", worst: -1000, best: "open" };

/** A recipe with invented arms. */
export const example = (
  more: Partial<Omit<Recipe, "kind">> & { readonly claims?: readonly [Claim, ...Claim[]] } = {},
): Recipe =>
  recipe({
    id: "example",
    paper: "An example",
    source: "made up",
    about: "The system is better by 3.",
    system: arm("new", (seed) => ({ score: noise(seed) + 3 + 0.1 * noise(seed + 0.5) })),
    baselines: [arm("plain", (seed) => ({ score: noise(seed) }))],
    metrics: { score },
    claims: [{ metric: "score", smallest: 1, because: "it is an example" }],
    budget: { unit: "steps", full: 5, quick: 1 },
    deviations: ["It is made up."],
    ...more,
  });

/** Noise determined by the seed. */
export const noise = (seed: number): number => 10 * Math.sin(seed * 12.9898);

/** Runs trials of a recipe one after the other, and records the jobs. */
export function runnerOf(made: Recipe, cache: string, asked: Job[] = []): Runner {
  return async (jobs) => {
    asked.push(...jobs);
    const done = [];
    for (const job of jobs) done.push(await runTrial(made, job, cache));
    return done;
  };
}
