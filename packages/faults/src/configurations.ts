import { algorithms, learnerNames } from "@reins/algorithms";
import { formNames } from "./storage-forms.ts";

/** A training that takes a few hundred milliseconds: a command line, to run in an empty folder. */
export interface Configuration {
  readonly name: string;
  /** Whether it is one of the forms in `storage-forms.ts`; otherwise it is for `reins`. */
  readonly own: boolean;
  /** Starts the run. It is stored in `run`, its model (if it has one) in `model`. */
  readonly begin: readonly string[];
  /** Resumes it. */
  readonly resume: readonly string[];
  /** Whether a model is written at the end. */
  readonly model: boolean;
}

/** Small sizes for an algorithm's options. Others keep their default. */
const small: { readonly [option: string]: string } = {
  hidden: "8",
  criticHidden: "8",
  batch: "8",
  capacity: "200",
  learningStarts: "48",
  envs: "2",
  groups: "2",
  groupSize: "4",
  episodes: "8",
  minibatches: "1",
  epochs: "2",
  round: "64",
};

/** The environment of an algorithm, by its action kinds; a few need special ones. */
function worldOf(
  name: string,
  actions: readonly string[] | undefined,
): readonly [env: string, steps: number] {
  if (name === "linucb") return ["LinearBandit-v0", 1500];
  if (/^(ucb|thompson|epsilon-greedy|gradient-bandit)$/.test(name)) return ["BernoulliBandit-v0", 1500];
  if (name === "q") return ["FrozenLake-v1", 8000];
  if (name === "value-iteration") return ["FrozenLake-v1", 400];
  return actions && !actions.includes("discrete") ? ["Pendulum-v1", 1536] : ["CartPole-v1", 1536];
}

const common = ["--eval-episodes", "3", "--quiet", "--directory", "run", "--seed", "3"];

function game(name: string, extra: readonly string[] = [], suffix = ""): Configuration {
  const { options, actions } = algorithms[name].definition;
  const [env, steps] = worldOf(name, actions);
  const sizes = Object.entries(small)
    .filter(([option]) => option in options)
    .flatMap(([option, value]) => [flag(option), value]);
  // The option for steps between updates has the name of the budget, so its flag is prefixed with the algorithm.
  if ("steps" in options) sizes.push(`--${name}-steps`, "32");
  const budget = ["--steps", `${steps}`, "--checkpoint-every", `${Math.ceil(steps / 6)}`];
  return {
    name: `${name}${suffix}`,
    own: false,
    begin: ["train", name, env, "--defaults", ...sizes, ...budget, ...common, ...extra],
    resume: [
      "resume",
      "run",
      "--checkpoint-every",
      `${Math.ceil(steps / 6)}`,
      "--eval-episodes",
      "3",
      "--quiet",
    ],
    model: false,
  };
}

/** A tiny language model from scratch: imitation for one batch, then a dozen batches of reinforcement learning. */
function words(name: string, extra: readonly string[] = [], suffix = "-words"): Configuration {
  const { options } = algorithms[name].definition;
  const sizes = Object.entries({ ...small, envs: "8", hidden: "8" })
    .filter(([option]) => option in options && option !== "hidden" && option !== "capacity")
    .flatMap(([option, value]) => [flag(option), value]);
  const model =
    "--env-level 1 --env-layers 1 --env-width 8 --env-heads 1 --env-rows 8 --env-supervised-tokens 40";
  const budget = ["--steps", name === "sft" ? "300" : "950", "--checkpoint-every", "50"];
  return {
    name: `${name}${suffix}`,
    own: false,
    begin: [
      ...["train", name, "arithmetic", ...sizes, ...(extra.length ? [] : model.split(" "))],
      ...[...budget, ...common, "--save-model", "model", ...extra],
    ],
    resume: ["resume", "run", "--checkpoint-every", "50", "--eval-episodes", "3", "--quiet"],
    model: true,
  };
}

/** Every algorithm of the registry in every form of storage that it has. */
export function configurations(): Configuration[] {
  const games = learnerNames("steps");
  const signals = ["--clip", "linear(0.2, 0)", "--learning-rate", "cosine(1e-3, 0)"];
  const others = [
    game("ppo", [...signals, "--wrappers", "normaliseObservation,normaliseReward"], "-signals"),
    game("ppo", ["--memory", "gru", "--units", "8"], "-memory"),
    game("dqn", ["--prioritised", "--n-step", "3", "--dueling"], "-prioritised"),
  ];
  const own = formNames.map((form) => {
    const args = [form, "run"];
    return { name: form, own: true, begin: args, resume: args, model: false };
  });
  // A teacher's folder is read only once, before the run is written.
  const languages = learnerNames("episodes").filter((n) => n !== "distill");
  return [...games.map((n) => game(n)), ...others, ...languages.map((n) => words(n)), ...own];
}

/** The requested configurations of a list. */
export function named(list: readonly Configuration[], names: readonly string[] | undefined): Configuration[] {
  const wrong = names?.find((name) => !list.some((c) => c.name === name));
  if (wrong !== undefined)
    throw new Error(`Unknown configuration ${wrong}. Use one of ${list.map((c) => c.name).join(", ")}.`);
  return list.filter((c) => !names || names.includes(c.name));
}

const flag = (option: string) => `--${option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
