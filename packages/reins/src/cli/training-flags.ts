import { kebab, text, toggle, toggleOff, whole, words } from "./flags.ts";

/** Flags of the run, independent of the algorithm. */
export const runFlags = {
  steps: whole(
    "N",
    "environment steps to take, or tokens on language tasks (also 100k or 1e5; default: as in the tuned settings)",
    1,
  ),
  seed: whole("N", "random seed; equal seeds give equal runs (default 0)"),
  seeds: whole(
    "N",
    "train N agents with consecutive seeds from --seed; on-policy methods in traced environments (--env-traced) train all of them in one batched call",
    1,
    10_000,
  ),
  from: text(
    "AGENT",
    "continue with the agent of a run (its directory or name), or with a file that was saved with training: true",
  ),
  defaults: toggle("use the algorithm's defaults instead of the settings tuned for this environment"),
  solved: toggle("stop when the mean return of the last 100 episodes reaches the solved threshold"),
  wrappers: words(
    "A,B,…",
    "wrappers around the environment, the innermost first: normaliseObservation,normaliseReward; exploration bonuses take options: rnd:weight=0.5:decay=100000",
  ),
  judge: text(
    "JUDGE",
    "on language tasks: scorer of completions: exact, number (the last number in the text) or your own file: ./judge.js",
  ),
  "reward-model": text(
    "FOLDERS",
    "on language tasks: score completions with the reward model in this folder, or with an ensemble: ./a,./b",
  ),
  "reward-aggregate": text(
    "RULE",
    "how the rewards of an ensemble become one: mean (default), minimum or mean-deviation",
  ),
  threads: whole(
    "N",
    "threads for compiled code (default 1: small networks gain nothing from more)",
    1,
    1024,
  ),
  device: text(
    "DEVICE",
    "cpu, cuda or cuda:1 (default: an NVIDIA GPU for large functions, else the CPU; see docs/gpu.md)",
  ),
};

/** Flags of where and how a run is saved. */
export const saveFlags = {
  name: text("NAME", "save the run in runs/NAME (default runs/<algorithm>-<env or file>-<number>)"),
  directory: text("PATH", "save the run in this directory"),
  overwrite: toggle("delete an existing run in this directory"),
  save: toggleOff("write no run directory"),
  "save-model": text("PATH", "on language tasks: also write the trained model as a Hugging Face folder"),
  "save-adapters": text(
    "PATH",
    "on language tasks, with --lora or --env-adapters: also write the adapters alone, in PEFT format",
  ),
  "samples-every": whole(
    "N",
    "on language tasks: tokens between completions that are written to samples.jsonl (default: 100 times a run)",
    1,
  ),
  "checkpoint-every": whole(
    "N",
    "steps (tokens on language tasks) between checkpoints; default: one every five minutes",
    1,
  ),
};

/** Flags of evaluation and output. */
export const reportFlags = {
  "eval-episodes": whole(
    "N",
    "episodes of the final evaluation; 0 reports the last training episodes instead (default 100)",
    0,
    1e7,
  ),
  "eval-every": whole(
    "N",
    "steps (tokens on language tasks) between evaluations; the best agent is saved beside the last",
    1,
  ),
  csv: text("FILE", "also write metrics as CSV, for spreadsheets and pandas"),
  wandb: text("DIR", "also write an offline Weights & Biases run, for wandb sync"),
  profile: toggle(
    "measure compiled functions, kernels and copies: a table at the end, and profile.json in the run's directory for ui.perfetto.dev",
  ),
  quiet: toggle("print only the result, no progress"),
  json: toggle("print the result as one JSON object on the last line"),
};

/** All flags of `reins train` that are not the algorithm's. */
export const trainFlags = { ...runFlags, ...saveFlags, ...reportFlags };

/** The flag of an algorithm's option, without dashes; a name in `taken` is prefixed with the algorithm's name. */
export function flagOf(algorithm: string, option: string, taken: object = trainFlags): string {
  const plain = kebab(option);
  return Object.hasOwn(taken, plain) ? `${algorithm}-${plain}` : plain;
}
