import { kebab, text, toggle, whole, words } from "./flags.ts";

/** What concerns the run rather than the algorithm. */
export const runFlags = {
  steps: whole(
    "N",
    "environment steps to take, or tokens on language tasks (100k and 1e5 are 100 000); by default as many as the tuned settings need",
    1,
  ),
  seed: whole("N", "the same seed gives the same run (default 0)"),
  seeds: whole(
    "N",
    "train N agents, with this many seeds from --seed on; on-policy methods in traced environments (--env-traced) take a round of all in one call",
    1,
    10_000,
  ),
  from: text(
    "AGENT",
    "go on with the agent of a run, by its folder or its name, or with one that was saved with its training",
  ),
  defaults: toggle("take the algorithm's defaults, not the settings found for this environment"),
  solved: toggle("stop when the mean return of the last 100 episodes counts as solved"),
  wrappers: words(
    "A,B,…",
    "wrappers around the environment, the innermost first: normaliseObservation,normaliseReward; bonuses for what is new take options: rnd:weight=0.5:decay=100000",
  ),
  judge: text(
    "JUDGE",
    "on language tasks: how answers are scored. exact, number (the last number in it) or a file of yours: ./judge.js",
  ),
  threads: whole(
    "N",
    "threads for compiled code (default 1: small networks gain nothing from more)",
    1,
    1024,
  ),
};

/** Where the run is kept and how. */
export const keepFlags = {
  name: text("NAME", "keep the run in runs/NAME; by default runs/<algorithm>-<env or file>-<number>"),
  directory: text("PATH", "keep the run in this directory"),
  overwrite: toggle("delete the run that is there already, if there is one"),
  save: toggle("--no-save keeps nothing"),
  "save-model": text("PATH", "on language tasks: also write the trained model as a Hugging Face folder"),
  "save-adapters": text(
    "PATH",
    "on language tasks, with --env-lora or --env-adapters: also write the adapters alone, in the format of PEFT",
  ),
  "samples-every": whole(
    "N",
    "on language tasks: tokens between completions that are written to samples.jsonl (default: 100 times a run)",
    1,
  ),
  "checkpoint-every": whole(
    "N",
    "steps (tokens on language tasks) between checkpoints; by default one every five minutes",
    1,
  ),
};

/** What is reported. */
export const reportFlags = {
  "eval-episodes": whole(
    "N",
    "episodes to measure the trained agent by; 0 for the last ones of training (default 100)",
    0,
    1e7,
  ),
  "eval-every": whole(
    "N",
    "steps (tokens on language tasks) between evaluations; the best agent is kept beside the last",
    1,
  ),
  csv: text("FILE", "write the rows of metrics as a table too, for spreadsheets and pandas"),
  wandb: text("DIR", "write an offline run of Weights & Biases too, for wandb sync"),
  quiet: toggle("no progress, only the result"),
  json: toggle("the last line is the result as one JSON object"),
};

/** All flags of `reins train` that are not the algorithm's. */
export const trainFlags = { ...runFlags, ...keepFlags, ...reportFlags };

/** The flag that sets an option of an algorithm, without its dashes. A name that is taken gets the algorithm's before it. */
export function flagOf(algorithm: string, option: string, taken: object = trainFlags): string {
  const plain = kebab(option);
  return Object.hasOwn(taken, plain) ? `${algorithm}-${plain}` : plain;
}
