import { box } from "@reins/core";
import { LiveValue, liveSettings } from "@reins/core/settings";
import * as nn from "@reins/nn";
import { random, setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { crossq } from "./crossq.ts";
import { jointCritics } from "./sac/joint-critics.ts";
import { criticTarget } from "./sac.ts";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";
import { aim, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = { ...small, criticHidden: [16], temperatureRate: 1e-2, policyEvery: 1, momentum: 0.95 };

describe("crossq", () => {
  continuousContract("crossq", quick, { steps: 2000 });

  it("has no target network, and running statistics that follow the observations", () => {
    const run = trained({ algorithm: crossq(quick), env: aim(), steps: 600, seed: 1 });
    const { target, statistics } = run.process.parts.state as {
      target?: object;
      statistics: { mean: Tensor; variance: Tensor; batches: Tensor }[];
    };
    expect(target).toBeUndefined();
    const [inputs] = statistics;
    expect(inputs.mean.shape).toEqual([2, 2]);
    // Uniform numbers between -1 and 1 have variance 1/3.
    expect(inputs.mean.data[0]).toBeCloseTo(0, 0);
    expect(inputs.variance.data[0]).toBeCloseTo(1 / 3, 1);
    expect(inputs.batches.data[0]).toBe(run.metrics.updates);
  });

  it("passes both states of a transition to the critics in one batch", () => {
    const spec = { id: "Any-v0", observation: box([1], -9, 9), action: box([1], -1, 1) };
    const criticRate = liveSettings("criticRate", { setting: 0.1 });
    if (!(criticRate instanceof LiveValue)) return expect.unreachable();
    const optimiser = nn.sgd({ learningRate: 0.1 });
    const criticSet = jointCritics(spec, {
      criticTarget,
      hidden: [4],
      actions: 1,
      optimiser,
      criticRate,
      momentum: 0,
      renormAfter: 10,
    });
    const batch = {
      observation: tensor([[1], [3]]),
      action: zeros([2, 1]),
      reward: tensor([1, -1]),
      discount: tensor([0.5, 0]),
      next: tensor([[5], [7]]),
    };
    const values: Tensor[] = [];
    const nextActions = {
      action: tensor([[0.5], [0.5]]),
      entropy: zeros([2]),
      softValue(v: Tensor) {
        values.push(v);
        return v;
      },
    };
    const taken = { action: batch.action, of: (v: Tensor) => v };
    const first = criticSet.init(random.key(1));
    const { state } = criticSet.learn(first, { batch, taken, nextActions, key: random.key(2) });
    const [inputs] = state.statistics as { mean: Tensor; variance: Tensor }[];
    // Observations 1, 3, 5 and 7, actions 0, 0, ½ and ½, for each of two critics.
    expect(inputs.mean.toArray()).toEqual([
      [4, 0.25],
      [4, 0.25],
    ]);
    expect(inputs.variance.toArray()).toEqual([
      [5, 0.0625],
      [5, 0.0625],
    ]);
    // The next state's value is one per row, the lower of two.
    expect(values[0].shape).toEqual([2]);
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("crossq", { ...quick, automatic: false, temperature: 0.001 })).toBeCloseTo(2, 1);
  });
});
