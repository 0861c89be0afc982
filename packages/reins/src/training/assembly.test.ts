import { readFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms, ppo, sac } from "@reins/algorithms";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { sourceOf } from "../places/source-of.ts";
import { sourceOfAny } from "../places/trainable.ts";
import { type TrainOptions, train } from "../train.ts";
import { type AssemblyOptions, assemble } from "./assembly.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const configIn = (path: string) => {
  const { created: _, command: __, ...config } = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
  return config as Record<string, unknown>;
};

const small = ["--envs", "4", "--ppo-steps", "32", "--hidden", "8"];

const pairs: { [what: string]: { typed: string[]; options: TrainOptions } } = {
  "tuned settings": {
    typed: ["ppo", "CartPole-v1", "--steps", "256"],
    options: { algorithm: "ppo", env: "CartPole-v1", steps: 256 },
  },
  "one setting over tuned ones": {
    typed: ["ppo", "CartPole-v1", "--learning-rate", "1e-3", "--steps", "256"],
    options: { algorithm: "ppo", env: "CartPole-v1", settings: { learningRate: 1e-3 }, steps: 256 },
  },
  "custom settings": {
    typed: ["ppo", "CartPole-v1", "--defaults", ...small, "--steps", "256", "--seed", "7"],
    options: {
      algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }),
      env: "CartPole-v1",
      steps: 256,
      seed: 7,
    },
  },
  "wrappers, options of the environment and evaluation": {
    typed: [
      ...["sac", "Pendulum-v1", "--defaults", "--hidden", "8", "--steps", "64", "--env-max-steps", "20"],
      ...["--wrappers", "normaliseObservation,rescaleAction", "--checkpoint-every", "32"],
    ],
    options: {
      algorithm: sac({ hidden: [8] }),
      env: "Pendulum-v1",
      envOptions: { maxSteps: 20 },
      wrappers: ["normaliseObservation", "rescaleAction"],
      steps: 64,
      checkpointEvery: 32,
    },
  },
};

it.each(Object.keys(pairs))("a command line and a program store the same configuration: %s", async (what) => {
  const { typed, options } = pairs[what];
  const [there, here] = [join(folder(), "typed"), join(folder(), "programmed")];
  const { code, err } = await reins(
    "train",
    ...typed,
    "--eval-episodes",
    "0",
    "--quiet",
    "--directory",
    there,
  );
  expect([code, err]).toEqual([0, ""]);
  await train({ ...options, evalEpisodes: 0, directory: here });
  expect(configIn(there)).toEqual(configIn(here));
  // In the same order, too, since people read these files.
  expect(Object.keys(configIn(there))).toEqual(Object.keys(configIn(here)));
  const metrics = (path: string) => readFileSync(join(path, "metrics.jsonl"), "utf8");
  expect(metrics(there)).toBe(metrics(here));
});

it("so do they for a language task, with the absolute path of its model folder", async () => {
  const words = { level: 1, layers: 1, width: 16, heads: 2, supervisedTokens: 300, rows: 32 };
  const flags = ["--env-level", "1", "--env-layers", "1", "--env-width", "16", "--env-heads", "2"];
  const [there, here, target] = [join(folder(), "typed"), join(folder(), "programmed"), folder()];
  const { code } = await reins(
    ...[
      "train",
      "sft",
      "arithmetic",
      ...flags,
      "--env-supervised-tokens",
      "300",
      "--env-rows",
      "32",
      "--steps",
      "300",
    ],
    ...["--save-model", target, "--quiet", "--eval-episodes", "0", "--directory", there],
  );
  expect(code).toBe(0);
  const options = { algorithm: "sft", env: "arithmetic", envOptions: words, steps: 300, saveModel: target };
  await train({ ...options, evalEpisodes: 0, directory: here });
  expect(configIn(there)).toEqual(configIn(here));
  expect(configIn(there).saveModel).toBe(target);
});

it("a stored configuration is assembled to itself", async () => {
  const first: AssemblyOptions = {
    place: sourceOf("Pendulum-v1", { maxSteps: 20 }),
    algorithm: "ppo",
    settings: { hidden: [8] },
    seed: 5,
  };
  const { config, tuned } = await assemble(first);
  expect(tuned).toBeDefined();
  const again = await assemble({
    place: await sourceOfAny(config.env, config.envOptions),
    algorithm: config.algorithm,
    settings: config.options,
    defaults: true,
    wrappers: config.wrappers as string[] | undefined,
    steps: config.steps,
    seed: config.seed,
  });
  expect(again.config).toEqual(config);
  expect(again.tuned).toBeUndefined();
});

it.each(Object.keys(algorithms))("%s is stored under the name that finds it", (name) => {
  expect(algorithms[name]().name).toBe(name);
});

it("notes that a supervised phase leaves no steps for the algorithm", async () => {
  const place = await sourceOfAny("arithmetic", { supervisedTokens: 300 });
  const notes = async (algorithm: string, steps: number) =>
    (await assemble({ place, algorithm, steps })).notes;
  expect(await notes("grpo", 300)).toEqual([
    expect.stringContaining("takes 300 of 300 tokens, so grpo never starts. Raise steps"),
  ]);
  expect([await notes("grpo", 301), await notes("sft", 300)]).toEqual([[], []]);
});
