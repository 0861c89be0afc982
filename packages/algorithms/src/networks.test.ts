import {
  type AlgorithmMaker,
  box,
  dict,
  discrete,
  type Env,
  image,
  Run,
  type Space,
  type StepEnvironment,
  text,
  tuple,
} from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { type Body, isScoringPolicy, type NetworkMaker } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import * as nn from "@reins/nn";
import { leaves, mul, ones, random, reshape, setBackend, type Tensor, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { offlineDqn } from "./offline-dqn.ts";
import { algorithms } from "./registry.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";

setBackend("wasm");

/** Any observation, and reward 1 per step; it terminates after three. */
function place(observation: Space, action: Space = discrete(2)): StepEnvironment {
  const make = (): Env => {
    const rng = defaultRng(0);
    let time = 0;
    const see = () => ({ observation: sampleValue(observation, rng) });
    return {
      spec: { id: "Any-v0", observation, action, maxSteps: 3 },
      reset() {
        time = 0;
        return see();
      },
      step: () => ({ ...see(), reward: 1, terminated: ++time === 3, truncated: false }),
    };
  };
  return { spec: make().spec, make: (rows) => vectorise(make, rows) };
}

const flat = box([3], -1, 1);
/** Widths that no other layer has. */
const network: NetworkMaker = ({ inputs }) =>
  nn.sequential(nn.linear({ inputs, outputs: 23 }), "relu", nn.linear({ inputs: 23, outputs: 17 }), "relu");

const small: { readonly [option: string]: unknown } = {
  envs: 2,
  steps: 8,
  minibatches: 1,
  episodes: 2,
  groups: 2,
  groupSize: 2,
  batch: 8,
  learningStarts: 8,
  trainEvery: 2,
  capacity: 64,
  auxiliaryEvery: 2,
  auxiliaryMinibatches: 1,
  population: 4,
  length: 4,
  burnIn: 2,
  units: 8,
};
const sized = (maker: AlgorithmMaker, own: object = {}) =>
  maker({
    ...Object.fromEntries(Object.entries(small).filter(([k]) => k in maker.definition.options)),
    ...own,
  });

const shapes = (tree: Tree) => leaves(tree).map((t) => t.shape.join());

async function played(maker: AlgorithmMaker, options: object, env: StepEnvironment): Promise<Run> {
  const run = new Run({ algorithm: sized(maker, options), env, steps: 60, seed: 1 });
  while (!run.finished) await run.round();
  // Yields to the test runner: training blocks the thread.
  await new Promise((done) => setTimeout(done, 0));
  return run;
}

/** Population methods compare whole episodes of deterministic members. */
const searching = ["cem", "cma-es", "es", "ars"];
/** One method of each kind; variants have the same parts. */
const stepping = [
  "ppo",
  "trpo",
  "impala",
  "ppg",
  "grpo",
  "dqn",
  "r2d2",
  "pqn",
  "sac",
  "td3",
  ...searching,
].map((name) => algorithms[name]);
const actionFor = (maker: AlgorithmMaker): Space =>
  maker.definition.actions?.includes("box") ? box([2], -1, 1) : discrete(2);

describe.each(stepping.map((maker) => [maker.definition.name, maker] as const))("%s", (name, maker) => {
  it("takes a custom network and encoder", async () => {
    const env = place(flat, actionFor(maker));
    const whole = await played(maker, { network }, env);
    const own = shapes(whole.process.acting!.weights);
    expect(own).toContain("3,23");
    expect(own).toContain("23,17");
    const before = await played(maker, { encoder: network, hidden: [11] }, env);
    const seen = shapes(before.process.acting!.weights);
    expect(seen).toContain("23,17");
    expect(seen).toContain("17,11");
  });

  // Encoders belong to the core: one actor-critic, one critic with a replay buffer, one with actions, one search.
  const tags = ["ppo", "dqn", "sac", "es"].includes(name) ? [] : ["slow"];

  it("sees pictures, texts and other parts", { tags }, async () => {
    const space = dict({
      eyes: image(4, 7, 1),
      order: text(12),
      rest: tuple(discrete(3), box([2], -1, 1)),
    });
    const run = await played(maker, { hidden: [8] }, place(space, actionFor(maker)));
    const seen = shapes(run.process.acting!.weights);
    expect(seen).toContain("16,1,3,3");
    expect(seen).toContain("256,32");
    expect(leaves(run.process.acting!.weights).every((t) => [...t.data].every(Number.isFinite))).toBe(true);
  });

  it.skipIf(searching.includes(name))("random layers are active in training, and only then", async () => {
    const dropping = (rate: number): NetworkMaker => {
      return ({ inputs }) =>
        nn.sequential(
          nn.linear({ inputs, outputs: 23 }),
          "relu",
          nn.dropout(rate),
          nn.linear({ inputs: 23, outputs: 9 }),
        );
    };
    const env = place(flat, actionFor(maker));
    const numbers = (run: Run) => leaves(run.process.acting!.weights).map((t) => [...t.data]);
    // All episodes here have equal returns: some methods learn from entropy alone.
    const moved = "entropyWeight" in maker.definition.options ? { entropyWeight: 0.1 } : {};
    const first = await played(maker, { ...moved, network: dropping(0.5) }, env);
    // Equal seeds drop the same units, and some unit is dropped.
    expect(numbers(await played(maker, { ...moved, network: dropping(0.5) }, env))).toEqual(numbers(first));
    expect(numbers(await played(maker, { ...moved, network: dropping(0) }, env))).not.toEqual(numbers(first));
    expect(numbers(first).flat().every(Number.isFinite)).toBe(true);
  });

  it("rejects hidden layers alongside a network", () => {
    const { name } = maker.definition;
    expect(() => maker({ network, hidden: [8] })).toThrow(
      `${name}: network replaces hidden, but both are given. Leave one of them out.`,
    );
    expect(() => maker({ network, encoder: network })).toThrow("network replaces encoder");
    const wrong: object = { network: "mlp" };
    expect(() => maker(wrong)).toThrow(`${name}: network is string; it must be a function`);
    expect(maker({ network }).options.hidden).toEqual([]);
    if ("activation" in maker.definition.options)
      expect(() => maker({ network, activation: "relu" })).toThrow(
        `${name}: network replaces activation, but both are given. Leave one of them out.`,
      );
  });
});

const { dqn, ppo, rainbow, sac, td3 } = algorithms;

it.each([
  ["rainbow", rainbow, {}],
  ["quantiles", dqn, { distribution: "quantile", dueling: true, atoms: 5 }],
  ["noise", dqn, { noisy: true }],
  ["a GRU", ppo, { memory: "gru", units: 4 }],
  ["a transformer", ppo, { memory: "transformer", units: 4, memoryHeads: 2 }],
  ["a shared body", ppo, { shared: true }],
] as const)("a network carries %s", async (_, maker, options) => {
  const run = await played(maker, { ...options, network }, place(flat));
  expect(shapes(run.process.acting!.weights)).toContain("23,17");
});

it("actor and critic have separate networks unless shared", async () => {
  const copies = async (options: object) => {
    const run = await played(ppo, { ...options, network }, place(flat));
    return shapes(run.process.acting!.weights).filter((shape) => shape === "23,17").length;
  };
  expect(await copies({})).toBe(2);
  expect(await copies({ shared: true })).toBe(1);
});

it.each([
  ["sac", sac],
  ["td3", td3],
] as const)("each critic of %s has its own network, and a layer that joins actions", async (_, maker) => {
  const run = await played(maker, { network }, place(flat, box([2], -1, 1)));
  const { critics } = run.process.parts.state as { critics: { weights: { body: Tree; critics: Tree } } };
  expect(shapes(critics.weights.body)).toContain("2,23,17");
  expect(shapes(critics.weights.critics)).toEqual(["2,19,64", "2,64", "2,64,1", "2,1"]);
  const weight = leaves(critics.weights.body)[0];
  expect([...nn.unstackMember(weight, 0).data]).not.toEqual([...nn.unstackMember(weight, 1).data]);
});

it.each([
  ["sac", sac, { learningRate: 5e-3, criticRate: 1e-2, tau: 0.05, gamma: 0.9 }],
  ["td3", td3, { learningRate: 5e-3, criticRate: 1e-2, tau: 0.05, gamma: 0.9 }],
] as const)("%s learns with a custom network", (_, maker, options) => {
  const replayed = { batch: 32, learningStarts: 100, capacity: 1000 };
  const run = trained({
    algorithm: maker({ ...replayed, ...options, network }),
    env: aim(),
    steps: 1200,
    seed: 1,
  });
  expect(score(run)).toBeGreaterThan(-0.06);
});

it.each([
  [
    "dqn",
    dqn,
    { batch: 32, learningStarts: 64, trainEvery: 1, learningRate: 5e-3, gamma: 0.9, capacity: 500 },
  ],
  ["ppo", ppo, { envs: 4, steps: 32, learningRate: 1e-2, gamma: 0.9 }],
] as const)("%s learns with a custom network", (_, maker, options) => {
  const run = trained({ algorithm: maker({ ...options, network }), env: corridor(), steps: 2000, seed: 1 });
  expect(score(run)).toBeCloseTo(1);
});

it("a custom body gets the raw observation", async () => {
  const space = dict({ near: box([2], -1, 1), far: image(3, 3, 1) });
  const eyes: NetworkMaker = (seen): Body => {
    expect(seen).toEqual({ space, inputs: 11 });
    const layer = nn.linear({ inputs: 2, outputs: 5 });
    return {
      features: 5,
      init: (key) => layer.init(key),
      apply: (params, observation) =>
        layer.apply(params as nn.LinearParams, (observation as { near: Tensor }).near),
    };
  };
  for (const options of [{ network: eyes }, { encoder: eyes, hidden: [4], memory: "gru" }])
    expect(shapes((await played(ppo, options, place(space))).process.acting!.weights)).toContain("2,5");
});

it.each([
  ["an actor and a critic", ppo, {}],
  ["a shared body", ppo, { shared: true }],
  ["a memory", ppo, { memory: "gru", units: 4 }],
] as const)("%s: dropout is off when acting or evaluating, and on in training", async (_, maker, options) => {
  const rate = (share: number): NetworkMaker => {
    return ({ inputs }) => nn.sequential(nn.linear({ inputs, outputs: 23 }), nn.dropout(share));
  };
  const score = async (share: number, key?: Tensor) => {
    const { policy } = (await played(maker, { ...options, network: rate(share) }, place(flat))).process
      .acting!;
    if (!isScoringPolicy(policy)) return expect.unreachable();
    const weights = policy.init(random.key(3));
    const leading = policy.memory ? [1, 2] : [2];
    const moment = {
      view: { observation: ones([...leading, 3]), first: ones(leading, "bool") },
      action: zeros(leading, "i32"),
      state: policy.start?.(2),
    };
    const { logProb, value } = policy.score(weights, key ? { ...moment, key } : moment);
    return [...logProb.data, ...value!.data];
  };
  expect(await score(0.5)).toEqual(await score(0));
  expect(await score(0.5, random.key(1))).toEqual(await score(0.5, random.key(1)));
  expect(await score(0.5, random.key(1))).not.toEqual(await score(0.5, random.key(2)));
  expect(await score(0, random.key(1))).toEqual(await score(0));
});

it("explains what is wrong with a network", () => {
  const begin = (own: NetworkMaker) =>
    new Run({ algorithm: dqn({ network: own }), env: place(flat), steps: 8 });
  const linear = (inputs: number) => nn.linear({ inputs, outputs: 4 });
  expect(() => begin(() => linear(5))).toThrow(
    /network: for flat observations \[rows, 3\] of Box.*, the layer fails: linear: expects 5 features/,
  );
  const square = (): nn.Layer => ({ init: () => ({}), apply: (_, x) => reshape(x, [-1, 3, 1]) });
  expect(() => begin(square)).toThrow(
    "the layer returned [2,3,1] for 2 rows. It must return [rows, features].",
  );
  const none: object = { network: () => undefined };
  expect(() => new Run({ algorithm: dqn(none), env: place(flat), steps: 8 })).toThrow(
    "the function returned undefined, which is neither a layer nor a body.",
  );
  class Mine {}
  const made: object = { network: Mine };
  expect(() => new Run({ algorithm: dqn(made), env: place(flat), steps: 8 })).toThrow(
    "is a class. Pass a function that makes one",
  );
  expect(() => begin(({ inputs }) => nn.linear({ inputs, outputs: 0 }))).toThrow(/0 features|outputs/);
  expect(() => begin(() => ({ features: 0, apply: (_: Tree, x: Tree) => x as Tensor }))).toThrow(
    "it has 0 features",
  );
});

it("recorded images are encoded too", async () => {
  const n = 32;
  const key = random.key(1);
  const data = {
    observation: random.randint(key, [n, 3, 3, 1], 0, 255).cast("u8"),
    action: random.randint(key, [n], 0, 2),
    reward: random.uniform(key, [n]),
    discount: mul(random.uniform(key, [n]), 0),
    next: random.randint(key, [n, 3, 3, 1], 0, 255).cast("u8"),
  };
  const run = new Run({ algorithm: offlineDqn({ batch: 8 }), env: place(image(3, 3, 1)), steps: 20, data });
  await run.round();
  expect(shapes(run.process.acting!.weights)).toContain("16,1,3,3");
});
