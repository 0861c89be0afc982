import { expect, it } from "vitest";
import { entries, exportsOf, isFormer } from "./testing-exports.ts";

const sourceOf = (specifier: string) => entries.find((e) => e.specifier === specifier)!.source;
const namesOf = (specifier: string) =>
  exportsOf(sourceOf(specifier))
    .filter((e) => !isFormer(e))
    .map((e) => e.name);

it("finds every value export and no other", async () => {
  for (const { specifier, source } of entries) {
    const values = exportsOf(source).filter((e) => e.value && !e.name.includes("."));
    const module: object = await import(/* @vite-ignore */ specifier);
    expect(values.map((e) => e.name).sort(), specifier).toEqual(Object.keys(module).sort());
  }
});

it("reins/x exports all of @reins/x", () => {
  // Only in reins: acting agents, tools around runs, worker support.
  const own = ["reins/agent", "reins/tools", "reins/tuning", "reins/worker"];
  const parts = entries.filter((e) => e.specifier.startsWith("reins/") && !own.includes(e.specifier));
  expect(parts.length).toBeGreaterThan(8);
  for (const { specifier } of parts) expect(namesOf(specifier)).toEqual(namesOf(`@${specifier}`));
});

it("reins/worker exports all of reins", () => {
  expect(namesOf("reins/worker")).toEqual(namesOf("reins"));
});

it("reins/core exports the contracts, and no more than 150 names", () => {
  expect(namesOf("@reins/core").length).toBeLessThanOrEqual(150);
  expect(namesOf("@reins/core")).toEqual(expect.arrayContaining(["Env", "Space", "Policy", "Run", "define"]));
});

it("no subpath of reins/core repeats a value of another", () => {
  const homes = new Map<string, string[]>();
  const own = entries.filter((e) => /^@reins\/core($|\/(?!directory))/.test(e.specifier));
  for (const { specifier, source } of own)
    for (const { name, value } of exportsOf(source).filter((e) => !isFormer(e)))
      if (value) homes.set(name, [...(homes.get(name) ?? []), specifier]);
  expect(own.length).toBeGreaterThan(15);
  expect([...homes].filter(([, specifiers]) => specifiers.length > 1)).toEqual([]);
});

/** Types and classes, then functions, values and namespaces. */
const names = `
  Agent Algorithm AsyncEnv Callbacks Controller Env EnvLike EnvOptions EnvSpec Episode EvaluateOptions EvaluationResult Finding
  LoadOptions MakeOptions Metrics Policy Progress ReinsError Returns Run RunOptions Schedule SeedsOptions Setting
  Signal Space Step Tensor TrainOptions Trainable Trained TrainedSeeds Tree Value VectorEnv a2c adaptiveDqn
  adaptivePpo agentOf algorithms box checkEnv choice cispo compile concat content crossEntropy dapo
  define describeEnv diagnose dict discrete dqn drGrpo epsilonGreedy evaluate exp fail grad
  graph grpo gspo ids image leaves linucb list load loadAgent log make makeSingle matmul mean
  mseLoss multiBinary multiDiscrete nn ones phases planner ppo rainbow random register
  registerAlgorithm reinforce reinforcePlusPlus rejection relu remax reportFindings resume rloo sac setBackend setting
  sft signals simplex sin size softmax sourceOf sum tabularQ tanh tasks td3 tensor text thompson train
  tuple ucb valueAndGradient zeros
`;

it("reins exports few names", () => {
  const found = namesOf("reins").filter((name) => !name.includes("."));
  expect(found.sort()).toEqual(names.trim().split(/\s+/));
  expect(found.length).toBeLessThanOrEqual(120);
});
