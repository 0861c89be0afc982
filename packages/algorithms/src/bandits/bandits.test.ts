import { type AlgorithmMaker, discrete, type Env, Run } from "@reins/core";
import { estimate, evaluate } from "@reins/core/evaluations";
import { describe, expect, it } from "vitest";
import { epsilonGreedy } from "../epsilon-greedy.ts";
import { gradientBandit } from "../gradient-bandit.ts";
import { expectExact, source, sourceOf } from "../tabular/testing.ts";
import { thompson } from "../thompson.ts";
import { klBound, ucb } from "../ucb.ts";
import { regret } from "./regret.ts";

const means = [0.1, 0.3, 0.5, 0.7, 0.9];
const coins = source("BernoulliBandit-v0", { means });
const normal = source("GaussianBandit-v0", { means: [-1, 0, 0.5, 1] });
const seeds = Array.from({ length: 30 }, (_, i) => 100 + i);
const makers = { ucb, thompson, epsilonGreedy, gradientBandit } as unknown as Record<string, AlgorithmMaker>;

describe("regret", () => {
  it("of UCB1 is below the bound of Auer et al. (2002)", () => {
    const steps = 2000;
    const gaps = means.map((m) => 0.9 - m).filter((gap) => gap > 0);
    const bound = (t: number) =>
      gaps.reduce((sum, gap) => sum + (8 * Math.log(t)) / gap + (1 + Math.PI ** 2 / 3) * gap, 0);
    const { curve, mean } = regret({ algorithm: ucb(), env: coins, steps, seeds, points: 20 });
    for (const point of curve) expect(point.interval[1]).toBeLessThan(bound(point.steps));
    // Logarithmic growth: the second half adds little.
    expect(curve[19].mean - curve[9].mean).toBeLessThan(0.5 * curve[9].mean);
    expect(curve[19].mean).toBe(mean);
  });

  it("of tighter bounds and of posterior samples is smaller, and that of epsilon-greedy larger", () => {
    const of = (algorithm: ReturnType<typeof ucb>) =>
      regret({ algorithm, env: coins, steps: 2000, seeds }).mean;
    const [plain, kl, sampled, greedy] = [ucb(), ucb({ bound: "kl" }), thompson(), epsilonGreedy()].map(of);
    expect(kl).toBeLessThan(0.5 * plain);
    expect(sampled).toBeLessThan(0.5 * plain);
    expect(sampled).toBeLessThan(greedy);
  });

  it("of Thompson sampling is below that of epsilon-greedy with normal rewards too, pair by pair", () => {
    const of = (algorithm: ReturnType<typeof ucb>) =>
      regret({ algorithm, env: normal, steps: 2000, seeds }).samples;
    const sampled = of(thompson({ rewards: "gaussian" }));
    const greedy = of(epsilonGreedy());
    expect(estimate(greedy.map((r, i) => r - sampled[i])).interval[0]).toBeGreaterThan(0);
  });

  it("is exact: random pulls have their expected regret", () => {
    const [env, steps] = [source("BernoulliBandit-v0", { means: [0.2, 0.8] }), 1000];
    const run = new Run({
      algorithm: epsilonGreedy({ epsilon: 1, envs: 50, round: 50 }),
      env,
      steps: 50 * steps,
    });
    run.advance();
    const { regret: lost, "regret/step": step } = run.metrics;
    expect(lost / 0.6).toBeCloseTo(steps / 2, -1.5);
    expect(step * 50).toBeCloseTo(0.6 * Math.round((step * 50) / 0.6), 6);
    const always = regret({
      algorithm: epsilonGreedy({ initial: 0, epsilon: 0 }),
      env: coins,
      steps: 100,
      seeds: [1],
    });
    expect(always.samples[0] * 10).toBeCloseTo(Math.round(always.samples[0] * 10), 6);
  });

  it("needs an environment that exposes its means", () => {
    const hidden = (): Env => ({
      spec: { id: "Hidden-v0", observation: discrete(1), action: discrete(2) },
      reset: () => ({ observation: 0 }),
      step: () => ({ observation: 0, reward: 1, terminated: true, truncated: false }),
    });
    const env = sourceOf(hidden);
    expect(() => regret({ algorithm: ucb(), env, steps: 100 })).toThrow(
      "ucb on Hidden-v0 reports no regret.",
    );
    expect(new Run({ algorithm: ucb(), env, steps: 100 }).advance()["return/mean"]).toBe(1);
  });
});

describe.each(Object.entries(makers))("%s", (_, maker) => {
  it("plays the best arm in the end", () => {
    const run = new Run({ algorithm: maker({ envs: 4 } as never), env: coins, steps: 8000, seed: 100 });
    run.advance();
    expect(run.metrics["policy/best"]).toBeGreaterThan(0.7);
    const { mean } = evaluate(run, source("BernoulliBandit-v0", { means, maxSteps: 1000 }), { episodes: 8 });
    expect(mean).toBeGreaterThan(870);
  });

  it("is reproducible by seed and resumes exactly", () => {
    expectExact({ algorithm: maker({ round: 20, envs: 2 } as never), env: coins, steps: 400 });
  });

  it("rejects environments with observations", () => {
    const start = () => new Run({ algorithm: maker(), env: source("CartPole-v1"), steps: 10 });
    expect(start).toThrow(/observations of CartPole-v1 are Box\(.*would ignore: it takes bandits/);
  });
});

describe("settings", () => {
  it("gradient-bandit: without a baseline, positive rewards of any arm slow it down", () => {
    const env = source("GaussianBandit-v0", { means: [4, 4.5, 5] });
    const of = (baseline: boolean) =>
      regret({ algorithm: gradientBandit({ baseline }), env, steps: 1000, seeds }).mean;
    expect(of(true)).toBeLessThan(0.7 * of(false));
  });

  it("epsilon-greedy: optimistic initial values try every arm", () => {
    const first = (initial: number) => {
      const algorithm = epsilonGreedy({ initial, epsilon: 0, learningRate: 0.1 });
      return regret({ algorithm, env: coins, steps: 1000, seeds }).mean;
    };
    expect(first(2)).toBeLessThan(0.5 * first(-1));
  });

  it("rejects rewards outside 0 to 1 where the method needs that range", () => {
    const start = (algorithm: ReturnType<typeof ucb>) =>
      new Run({ algorithm, env: normal, steps: 100 }).advance();
    expect(() => start(ucb({ bound: "kl" }))).toThrow(/reward .* of GaussianBandit-v0 is outside 0 to 1/);
    expect(() => start(thompson())).toThrow('Use rewards: "gaussian".');
  });

  it("the KL bound lies where the divergence equals the level", () => {
    const divergence = (p: number, q: number) =>
      (p ? p * Math.log(p / q) : 0) + (1 - p) * Math.log((1 - p) / (1 - q));
    for (const p of [0, 0.01, 0.3, 0.99])
      for (const level of [1e-4, 0.1, 3]) {
        const q = klBound(p, level);
        expect(q).toBeGreaterThan(p);
        // Near 1 the divergence is steeper than floating-point resolution.
        if (q < 1 - 1e-9) expect(Math.abs(divergence(p, q) / level - 1)).toBeLessThan(1e-5);
      }
    expect(klBound(1, 1)).toBe(1);
  });
});
