import { Run } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dqn } from "../dqn.ts";
import { corridor } from "../testing-envs.ts";
import {
  applyLoss,
  checkLoss,
  doubleDqnLoss,
  dqnClippedLoss,
  dqnLoss,
  dqnRegLoss,
  fingerprint,
  graphDqn,
  type LossGraph,
  mutateLoss,
  prune,
  regularisedEvolution,
  showLoss,
} from "./index.ts";

setBackend("wasm");

/** One transition: Q(s, ·) = [1, 4], Q⁻(s', ·) = [2, 3], action 1, reward 0.5, discount 0.9. */
const given = {
  q: (weights: string, state: string) =>
    tensor(weights === "online" && state === "state" ? [[1, 4]] : [[2, 3]]),
  action: tensor(Int32Array.of(1), { dtype: "i32" }),
  reward: tensor([0.5]),
  discount: tensor([0.9]),
};
const lossOf = (graph: LossGraph) => applyLoss(graph, given).data[0];

describe("losses as graphs", () => {
  it("compute their formulas", () => {
    const goal = 0.5 + 0.9 * 3;
    const error = 4 - goal;
    expect(lossOf(dqnLoss)).toBeCloseTo(error ** 2, 5);
    expect(lossOf(dqnRegLoss)).toBeCloseTo(error ** 2 + 0.4, 5);
    // The online network would choose the other next action.
    const q = (weights: string, state: string) =>
      weights === "online" && state === "next" ? tensor([[5, 2]]) : given.q(weights, state);
    expect(applyLoss(doubleDqnLoss, { ...given, q }).data[0]).toBeCloseTo((4 - 0.5 - 0.9 * 2) ** 2, 5);
    expect(lossOf(dqnClippedLoss)).toBeCloseTo(
      Math.max(4, error ** 2 + goal) + Math.max(4 - goal, 0.9 * 9),
      5,
    );
    expect(
      lossOf([
        { op: "q", of: ["online", "state"] },
        { op: "soft", of: [0] },
      ]),
    ).toBeCloseTo(Math.log(Math.E + Math.exp(4)), 5);
  });

  it("train like the built-in loss, of which they are twice the value", () => {
    const options = {
      hidden: [8],
      batch: 16,
      learningStarts: 32,
      trainEvery: 4,
      capacity: 200,
      double: false,
    };
    const [own, graph] = [
      dqn({ ...options, clipNorm: Number.POSITIVE_INFINITY }),
      graphDqn({ ...options, clipNorm: Number.POSITIVE_INFINITY, loss: dqnLoss }),
    ].map((algorithm) => new Run({ algorithm, env: corridor(), steps: 512, seed: 3 }));
    own.advance();
    graph.advance();
    expect(graph.metrics["loss/value"]).toBeGreaterThan(0);
    // Adam is invariant to a factor, except for its epsilon.
    expect(graph.metrics["loss/value"] / own.metrics["loss/value"]).toBeCloseTo(2, 2);
  });

  it("are rejected with the reason when invalid", () => {
    expect(() => checkLoss([{ op: "max", of: ["reward"] }])).toThrow(
      "max takes a vector, but reward is a number",
    );
    expect(() => checkLoss([{ op: "square", of: [0] }])).toThrow("0 is neither an input nor an earlier node");
    expect(() => checkLoss([{ op: "q", of: ["online", "state"] }])).toThrow(
      "the last node must be one number",
    );
    expect(() => checkLoss([{ op: "sqare" as "square", of: ["1"] }])).toThrow("Did you mean square");
    const start = () =>
      new Run({
        algorithm: graphDqn({ loss: dqnLoss, distribution: "quantile" }),
        env: corridor(),
        steps: 10,
      });
    expect(start).toThrow("not a quantile distribution");
  });

  it("are shown as formulas, without unused nodes", () => {
    const padded: LossGraph = [
      { op: "exp", of: ["reward"] },
      { op: "square", of: ["reward"] },
    ];
    expect(showLoss(prune(padded))).toBe("square(reward)");
    expect(prune(dqnLoss)).toEqual(dqnLoss);
  });
});

describe("fingerprints", () => {
  it("are equal for losses with equal updates", () => {
    const shifted: LossGraph = [...dqnLoss, { op: "add", of: [7, "reward"] }];
    const turned: LossGraph = [...dqnLoss.slice(0, 6), { op: "sub", of: [5, 1] }, { op: "square", of: [6] }];
    expect(fingerprint(shifted)).toBe(fingerprint(dqnLoss));
    expect(fingerprint(turned)).toBe(fingerprint(dqnLoss));
    expect(fingerprint(dqnRegLoss)).not.toBe(fingerprint(dqnLoss));
  });

  it("are undefined for losses with zero or non-finite gradients", () => {
    expect(fingerprint([{ op: "square", of: ["reward"] }])).toBeUndefined();
    const one: LossGraph = [
      { op: "sub", of: ["reward", "reward"] },
      { op: "q", of: ["online", "state"] },
      { op: "max", of: [1] },
      { op: "div", of: [2, 0] },
    ];
    expect(fingerprint(one)).toBeUndefined();
  });
});

describe("evolution", () => {
  it("mutates losses into losses, and reaches DQNReg from DQN", () => {
    const random = defaultRng(1);
    const wanted = fingerprint(dqnRegLoss);
    let found = false;
    let graph: LossGraph = dqnLoss;
    for (let i = 0; i < 300; i++) {
      graph = mutateLoss(graph, random, 12);
      checkLoss(graph);
      expect(graph.length).toBeLessThanOrEqual(12);
    }
    // One step before: δ² + Q(s, a). A weight on the second term is one more mutation.
    const near: LossGraph = [...dqnLoss, { op: "add", of: [7, 1] }];
    for (let i = 0; i < 5000 && !found; i++) found = fingerprint(mutateLoss(near, random)) === wanted;
    expect(found).toBe(true);
  });

  it("finds all ones, and scores equivalent individuals once", () => {
    const scored: string[] = [];
    const best = regularisedEvolution<string>({
      first: ["00000000"],
      population: 10,
      tournament: 4,
      scores: 200,
      random: defaultRng(0),
      mutate: (parent, random) => {
        const at = random.integers(8);
        return parent.slice(0, at) + (parent[at] === "0" ? "1" : "0") + parent.slice(at + 1);
      },
      key: (one) => one,
      score: (one) => {
        scored.push(one);
        return [...one].filter((bit) => bit === "1").length;
      },
    });
    expect(best[0]).toEqual({ individual: "11111111", score: 8 });
    expect(new Set(scored).size).toBe(scored.length);
    expect(best.length).toBe(scored.length);
  });
});
