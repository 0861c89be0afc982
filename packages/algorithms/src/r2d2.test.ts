import { box } from "@reins/core";
import { bodyFor } from "@reins/core/policies";
import { LiveValue } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import * as nn from "@reins/nn";
import { leaves, ones, random, setBackend, slice, type Tree, tensor, treeMap } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { recurrentQNetwork } from "./q/recurrent-network.ts";
import { rescaled, unscaled } from "./q/rescaling.ts";
import { windowLearner } from "./q/window-learner.ts";
import { windowReturns } from "./q/window-target.ts";
import { r2d2 } from "./r2d2.ts";
import { corridor, endless, score, trained } from "./testing-envs.ts";
import { cue, expectExactResume } from "./testing-on-policy.ts";

setBackend("wasm");

const small = {
  hidden: [],
  units: 16,
  length: 4,
  burnIn: 2,
  nStep: 2,
  batch: 32,
  learningStarts: 64,
  trainEvery: 2,
  targetEvery: 20,
  learningRate: 5e-3,
  capacity: 2000,
  gamma: 0.9,
  epsilon: signals.linear(1, 0.1, 0.3),
};

it("rescaling has an exact inverse", () => {
  expect(rescaled(tensor([0, 3, -8])).toArray()).toEqual([
    0,
    expect.closeTo(1 + 0.003, 6),
    expect.closeTo(-2 - 0.008, 6),
  ]);
  const values = [0, 1e-3, -0.5, 1, -7, 250, 1e4];
  unscaled(rescaled(tensor(values))).data.forEach((v, i) => {
    expect(Math.abs(v - values[i])).toBeLessThan(1e-6 + 1e-5 * Math.abs(values[i]));
  });
});

it("returns span n steps, and fewer where the window ends", () => {
  const column = (x: number[]) => tensor(x.map((v) => [v]));
  const valid = tensor([[1], [1], [1], [0]], { dtype: "bool" });
  const steps = { reward: column([1, 2, 4, 4]), discount: column([0.5, 0.5, 0.5, 0.5]), valid };
  const values = column([10, 20, 30, 40, 50]);
  // The fourth step is missing: the third one's next state is the last state.
  const two = windowReturns(steps, values, 2);
  expect([...two.data].slice(0, 3)).toEqual([
    1 + 0.5 * (2 + 0.5 * 30),
    2 + 0.5 * (4 + 0.5 * 40),
    4 + 0.5 * 40,
  ]);
  const ended = { ...steps, discount: column([0.5, 0.5, 0, 0]) };
  expect([...windowReturns(ended, values, 9).data].slice(0, 3)).toEqual([3, 4, 4]);
});

describe("an update", () => {
  const [length, burnIn] = [4, 2];
  const space = box([2], -1, 1);
  const network = recurrentQNetwork(bodyFor(space), {
    actions: 2,
    hidden: [],
    memory: "lstm",
    units: 3,
    dueling: true,
  });
  const live = (name: string, value: number) => new LiveValue(name, value);
  const learning = {
    network,
    nStep: 1,
    rescale: true,
    peak: live("peak", 0.9),
    start: 0,
    optimiser: nn.adam(),
    learningRate: live("learningRate", 1e-3),
    clipNorm: live("clipNorm", 10),
    tau: live("tau", 1),
    targetEvery: live("targetEvery", 100),
  };
  const learner = windowLearner({ ...learning, burnIn });
  const state = learner.init(random.key(1));
  const seen = random.normal(random.key(2), [length + 1, 2]).toArray() as number[][];
  const memory = [{ h: random.normal(random.key(3), [1, 3]), c: random.normal(random.key(4), [1, 3]) }];
  const [actions, rewards] = [
    [0, 1, 1, 0],
    [1, -2, 3, 0.5],
  ];
  const batch = (first: boolean) => ({
    observation: tensor([seen.slice(0, length)]),
    next: tensor([seen.slice(1)]),
    action: tensor(Int32Array.from(actions), { shape: [1, length] }),
    reward: tensor([rewards]),
    discount: ones([1, length]).mul(0.9),
    valid: ones([1, length], "bool"),
    first: tensor([[first ? 1 : 0, 0, 0, 0]], { dtype: "bool" }),
    state: { memory },
  });

  /** Values of both actions at every step, computed one step at a time. */
  const stepped = (first: boolean) => {
    let carried = first ? network.start(1) : memory;
    return seen.map((x) => {
      const { values, state: after } = network.step(state.online.weights, tensor([x]), carried);
      const before = carried;
      carried = after;
      return { values: [...values.data], before };
    });
  };
  const h = (x: number) => Math.sign(x) * (Math.sqrt(Math.abs(x) + 1) - 1) + x / 1000;

  it.each([
    ["on the whole first window of an episode", true, 0],
    ["on the steps after the burn-in, with the stored memory state", false, burnIn],
  ])("weights errors %s", (_, first, from) => {
    const values = stepped(first).map((step) => step.values);
    const errors = rewards.map((r, t) => {
      // The target network still equals the online one.
      const best = unscaled(tensor(Math.max(...values[t + 1]))).item();
      return Math.abs(values[t][actions[t]] - h(r + 0.9 * best));
    });
    const counted = errors.slice(from);
    const mean = counted.reduce((a, b) => a + b) / counted.length;
    const { errors: found } = learner.update(state, batch(first), { key: random.key(5) });
    expect(found?.item()).toBeCloseTo(0.9 * Math.max(...counted) + 0.1 * mean, 4);
  });

  it("has no gradient through the burn-in: as if its final state had been stored", () => {
    const { state: _, ...columns } = batch(false);
    const rest = treeMap((t) => slice(t, [null, [burnIn, length]]), columns);
    const given = { ...rest, state: { memory: stepped(false)[burnIn].before } };
    const short = windowLearner({ ...learning, burnIn: 0 });
    const [a, b] = [
      learner.update(state, batch(false), { key: random.key(5) }),
      short.update(state, given, { key: random.key(5) }),
    ].map(({ state: after }) => leaves(after.online.optimiser.slots.mean as Tree));
    a.forEach((t, i) => void t.data.forEach((v, k) => void expect(v).toBeCloseTo(b[i].data[k], 6)));
    expect(a.some((t) => t.data.some((v) => Math.abs(v) > 1e-3))).toBe(true);
  });

  it("masks missing steps", () => {
    const given = { ...batch(true), valid: tensor([[1, 1, 0, 0]], { dtype: "bool" }) };
    const action = tensor([[0, 1, 0, 1]], { dtype: "i32" });
    const same = { ...given, reward: tensor([[1, -2, 99, 99]]), action };
    const [a, b] = [given, same].map((x) => learner.update(state, x, { key: random.key(5) }));
    expect(b.errors?.item()).toBe(a.errors?.item());
    expect(b.metrics["loss/value"].item()).toBe(a.metrics["loss/value"].item());
  });
});

describe("r2d2", () => {
  const remembers = (memory: "gru" | "lstm") => {
    const algorithm = r2d2({ ...small, memory });
    const run = trained({ algorithm, env: cue(), steps: 6000, seed: 1 });
    expect(score(run, 50)).toBeGreaterThan(0.95);
  };
  it("remembers a cue until it is asked for (gru)", () => remembers("gru"));
  it("remembers a cue until it is asked for (lstm)", { tags: ["slow"] }, () => remembers("lstm"));

  it("bootstraps from truncated episodes", () => {
    const options = { ...small, gamma: 0.5, burnIn: 1, length: 2 };
    const run = trained({ algorithm: r2d2(options), env: endless("discrete"), steps: 2000, seed: 1 });
    expect(run.metrics["value/mean"]).toBeCloseTo(2, 1);
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: r2d2(small), env: corridor(1, { masked: true }), steps: 400, seed: 1 });
    expect([score(run), run.metrics["return/mean"]]).toEqual([0, 0]);
  });

  it("resumes exactly", () => {
    expectExactResume(() => r2d2({ ...small, maxRepeat: 3 }), corridor(), 768);
  });
});
