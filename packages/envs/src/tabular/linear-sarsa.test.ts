import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { evaluatePolicy } from "./evaluate.ts";
import { innerProduct, linearSarsa, sarsaFixedPoint, softmaxPolicy } from "./linear-sarsa.ts";
import { mixMdps, randomMdp } from "./random.ts";
import { sampleOutcome } from "./sample.ts";
import { actionValue } from "./values.ts";

const [states, actions, gamma] = [5, 2, 0.8];
const mdp = randomMdp(defaultRng(1), { states, actions, branching: 3 });

describe("sarsaFixedPoint", () => {
  it("with a feature for each pair it is the exact value of its own softmax policy", () => {
    const features = Array.from({ length: 10 }, (_, i) =>
      Float64Array.from({ length: 10 }, (_, j) => +(i === j)),
    );
    const problem = { mdp, features, gamma, temperature: 1 };
    const weights = sarsaFixedPoint(problem);
    const policy = Float64Array.from(
      { length: 10 },
      (_, i) => softmaxPolicy(problem, weights, i >> 1)[i & 1],
    );
    const values = evaluatePolicy(mdp, policy, { gamma });
    for (let i = 0; i < 10; i++)
      expect(weights[i]).toBeCloseTo(actionValue(mdp, values, i >> 1, i & 1, gamma), 8);
  });

  it("with few features it is where SARSA's mean update is 0", () => {
    const random = defaultRng(2);
    const features = Array.from({ length: 10 }, () =>
      Float64Array.from({ length: 3 }, () => random.standardNormal()),
    );
    const problem = { mdp, features, gamma, temperature: 2 };
    const weights = sarsaFixedPoint(problem);
    const step = new Float64Array(3);
    const draw = (s: number) => random.choice(actions, softmaxPolicy(problem, weights, s));
    const steps = 100_000;
    for (let t = 0, s = 0, a = draw(0); t < steps; t++) {
      const { state, reward } = sampleOutcome(mdp, s, a, random);
      const next = draw(state);
      const now = features[2 * s + a];
      const error =
        reward + gamma * innerProduct(features[2 * state + next], weights) - innerProduct(now, weights);
      now.forEach((f, i) => (step[i] += (error * f) / steps));
      [s, a] = [state, next];
    }
    for (const x of step) expect(Math.abs(x)).toBeLessThan(0.02);
  });

  it("is where SARSA converges", () => {
    const features = Array.from({ length: 10 }, (_, i) => Float64Array.of(Number(i & 1), Number(i < 4), 1));
    const problem = { mdp, features, gamma: 0.5, temperature: 1 };
    const [agent, goal] = [linearSarsa(problem, defaultRng(4)), sarsaFixedPoint(problem)];
    const mean = new Float64Array(3);
    for (let t = 0; t < 40_000; t++) {
      agent.step(0.01);
      if (t >= 20_000) agent.weights.forEach((w, i) => (mean[i] += w / 20_000));
    }
    goal.forEach((w, i) => expect(mean[i]).toBeCloseTo(w, 1));
  });
});

describe("random tables", () => {
  it("have the requested branching", () => {
    expect(mdp.transition.flat().every((outcomes) => new Set(outcomes.map((o) => o.state)).size === 3)).toBe(
      true,
    );
  });

  it("mix: probabilities and rewards lie between those of both", () => {
    const other = randomMdp(defaultRng(3), { states, actions });
    const mixed = mixMdps(mdp, other, 0.25);
    expect(mixed.transition[0][0][0].reward).toBeCloseTo(
      0.75 * mdp.transition[0][0][0].reward + 0.25 * other.transition[0][0][0].reward,
      12,
    );
    const zero = new Float64Array(states);
    const one = zero.map((_, s) => +(s === 2));
    const chance = (m: typeof mdp) => actionValue(m, one, 1, 1, 1) - actionValue(m, zero, 1, 1, 1);
    expect(chance(mixed)).toBeCloseTo(0.75 * chance(mdp) + 0.25 * chance(other), 12);
  });
});
