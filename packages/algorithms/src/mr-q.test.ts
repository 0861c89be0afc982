import { box, discrete } from "@reins/core";
import { random, setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { modelFor } from "./mr-q/model.ts";
import { firstSteps, unrollLoss } from "./mr-q/unroll.ts";
import { mrQ } from "./mr-q.ts";
import { continuousContract, endlessWorth } from "./testing-continuous.ts";
import { aim, corridor, score, sourceOf, trained } from "./testing-envs.ts";
import { expectExactResume, forbidding } from "./testing-on-policy.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = {
  width: 16,
  actionWidth: 8,
  bins: 21,
  horizon: 2,
  nStep: 2,
  batch: 32,
  learningStarts: 100,
  learningRate: 3e-3,
  criticRate: 3e-3,
  encoderRate: 1e-3,
  targetEvery: 40,
  capacity: 1000,
  gamma: 0.9,
};

describe("mr-q", () => {
  continuousContract("mr-q", quick, { steps: 1500, least: -0.1 });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("mr-q", quick)).toBeCloseTo(2, 0);
  });

  it("chooses among actions, and never takes a masked one", () => {
    const algorithm = mrQ({ ...quick, trainEvery: 2 });
    const run = trained({ algorithm, env: corridor(), steps: 1200, seed: 1 });
    expect(score(run)).toBeCloseTo(1);
    const masked = trained({ algorithm, env: corridor(1, { masked: true }), steps: 100, seed: 1 });
    expect(score(masked)).toBe(0);
    expectExactResume(() => algorithm, forbidding(), 400);
  });

  it("learns which of two allowed actions is better", () => {
    // Each step allows two of eight actions, which the observation marks; the lower one has reward 1.
    const env = sourceOf(() => {
      let time = 0;
      const pair = () => [time % 8, (5 * time + 3) % 8];
      const see = () => Float32Array.from({ length: 8 }, (_, a) => (pair().includes(a) ? 1 : 0));
      return {
        spec: { id: "Pairs-v0", observation: box([8], 0, 1), action: discrete(8), maxSteps: 8 },
        reset() {
          time = 0;
          return { observation: see() };
        },
        step(action) {
          const reward = action === Math.min(...pair()) ? 1 : 0;
          time++;
          return { observation: see(), reward, terminated: false, truncated: false };
        },
        mask: () => Array.from(see()),
        save: () => time,
        restore: (from) => {
          time = from as number;
        },
      };
    });
    const algorithm = mrQ({ ...quick, gamma: 0.1 });
    const scores = [1, 2, 3].map((seed) => score(trained({ algorithm, env, steps: 1000, seed })));
    expect(Math.min(...scores)).toBeGreaterThan(7);
  });

  it("rejects an nStep longer than its windows", () => {
    expect(() => trained({ algorithm: mrQ({ horizon: 2 }), env: aim(), steps: 10 })).toThrow(
      "mr-q: nStep is 3, but windows hold only 2 steps",
    );
  });
});

/** Windows of three steps: a whole one, one that terminates after two, and one that is truncated after one. */
const windows = {
  observation: tensor([4, 1, 2, 5, 6, 6, 8, 8, 8], { shape: [3, 3, 1] }),
  action: zeros([3, 3, 1]),
  inner: tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], { shape: [3, 3, 1] }),
  reward: tensor([
    [1, 2, 4],
    [1, 2, 2],
    [1, 1, 1],
  ]),
  discount: tensor([
    [0.5, 0.5, 0.5],
    [0.5, 0, 0],
    [0.5, 0.5, 0.5],
  ]),
  next: tensor([1, 2, 3, 6, 7, 7, 9, 9, 9], { shape: [3, 3, 1] }),
  valid: tensor(Uint8Array.of(1, 1, 1, 1, 1, 0, 1, 0, 0), { shape: [3, 3], dtype: "bool" }),
};

describe("windows", () => {
  it("give n-step rewards, and the state after the last valid step", () => {
    const { reward, discount, next } = firstSteps(windows, 3);
    expect(reward.toArray()).toEqual([3, 2, 1]);
    expect(discount.toArray()).toEqual([0.125, 0, 0.5]);
    expect((next as Tensor).toArray()).toEqual([[3], [7], [9]]);
    expect(firstSteps(windows, 1).reward.toArray()).toEqual([1, 1, 1]);
  });

  it("train the model on nothing after an episode's end", () => {
    const spec = { id: "Any-v0", observation: box([1], 0, 9), action: box([1], -1, 1) };
    const model = modelFor(spec, { width: 4, actionWidth: 2 }, { actions: 1, bins: 5 });
    const weights = model.init(random.key(1));
    const one = tensor(1);
    const how = { bins: [-200, -1, 0, 1, 200], lossWeights: { dynamics: one, reward: one, done: one } };
    const reached = model.state(weights, windows.next, 2);
    expect(reached.shape).toEqual([3, 3, 4]);
    const loss = (w: typeof windows) => unrollLoss(model, weights, { windows: w, reached, ...how }).item();
    // The second and third windows have missing steps.
    const changed = (at: number) => {
      const data = Float32Array.from(windows.reward.data);
      data[at] = 100;
      return loss({ ...windows, reward: tensor(data, { shape: [3, 3] }) });
    };
    for (const at of [5, 7, 8]) expect(changed(at)).toBe(loss(windows));
    for (const at of [0, 2, 4, 6]) expect(changed(at), `reward ${at}`).not.toBe(loss(windows));
  });
});
