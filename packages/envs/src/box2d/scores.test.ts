import { readFileSync } from "node:fs";
import type { Env } from "@reins/core";
import { defaultRng, type Generator } from "@reins/core/random";
import { describe, expect, test } from "vitest";
import { makeSingle } from "../registry.ts";
import { continuousLanderHeuristic, landerHeuristic } from "./players.ts";

interface Scores {
  readonly episodes: number;
  readonly return: { readonly quantiles: readonly number[] };
  readonly length: { readonly mean: number; readonly std: number };
}

const file = new URL("../../../../fixtures/gymnasium/box2d.json", import.meta.url);
const { scores }: { scores: Record<string, Record<string, Scores>> } = JSON.parse(readFileSync(file, "utf8"));

/** The fractions of Gymnasium's returns below its quantiles. */
const shares = [0.05, 0.25, 0.5, 0.75, 0.95];

type Act = (observation: ArrayLike<number>) => number | ArrayLike<number>;

const players: { readonly [name: string]: (env: Env, random: Generator) => Act } = {
  random:
    ({ spec: { action } }, random) =>
    () =>
      action.kind === "box"
        ? Float32Array.from({ length: action.shape[0] }, () => random.uniform(-1, 1))
        : random.integers(4),
  nothing: () => () => 0,
  still: () => () => new Float32Array(4),
  heuristic: ({ spec }) => (spec.action.kind === "box" ? continuousLanderHeuristic : landerHeuristic),
};

// As many as take a second or two each; the walkers' steps are slow.
const cases: [id: string, player: string, episodes: number][] = [
  ["LunarLander-v3", "random", 120],
  ["LunarLander-v3", "nothing", 80],
  ["LunarLander-v3", "heuristic", 30],
  ["LunarLanderContinuous-v3", "random", 120],
  ["LunarLanderContinuous-v3", "heuristic", 30],
  ["BipedalWalker-v3", "random", 8],
  ["BipedalWalker-v3", "still", 10],
  ["BipedalWalkerHardcore-v3", "random", 5],
];

/**
 * Two tests per case share an error rate of 1e-3 among all: that is how often one of them would fail although the
 * distributions are equal. Returns use the Kolmogorov-Smirnov test at Gymnasium's known quantiles, which is
 * conservative; lengths are compared by their means.
 */
const rate = 1e-3 / (2 * cases.length);
const mostDeviations = 4.0;

function play(env: Env, name: string, episodes: number) {
  const act = players[name](env, defaultRng(7));
  return Array.from({ length: episodes }, (_, episode) => {
    let seen = env.reset({ seed: 5000 + episode }).observation as Float32Array;
    for (let length = 1, sum = 0; ; length++) {
      const step = env.step(act(seen));
      seen = step.observation as Float32Array;
      sum += step.reward as number;
      if (step.terminated || step.truncated) return { sum, length };
    }
  });
}

/** The largest difference between the fractions of returns below a quantile, relative to the critical value. */
function distance(ours: readonly { readonly sum: number }[], theirs: Scores): number {
  const [n, m] = [theirs.episodes, ours.length];
  const most = Math.sqrt((-Math.log(rate / 2) / 2) * ((n + m) / (n * m)));
  const below = (q: number) => ours.filter(({ sum }) => sum <= q).length / m;
  return Math.max(...theirs.return.quantiles.map((q, i) => Math.abs(below(q) - shares[i]))) / most;
}

/** The difference of the mean lengths, in standard deviations. */
function deviations(ours: readonly { readonly length: number }[], { episodes, length }: Scores): number {
  const mean = ours.reduce((sum, e) => sum + e.length, 0) / ours.length;
  const variance = ours.reduce((sum, e) => sum + (e.length - mean) ** 2, 0) / (ours.length - 1);
  return Math.abs(mean - length.mean) / Math.sqrt(variance / ours.length + length.std ** 2 / episodes);
}

describe("scores are Gymnasium's in distribution", () => {
  for (const [id, name, episodes] of cases) {
    // The same physics with other actions or terrain.
    const tags = /Continuous|Hardcore/.test(id) ? ["slow"] : [];

    test(`${id}, played by ${name}`, { tags }, () => {
      const ours = play(makeSingle(id), name, episodes);
      const theirs = scores[id][name];
      expect(distance(ours, theirs)).toBeLessThan(1);
      expect(deviations(ours, theirs)).toBeLessThan(mostDeviations);
    });
  }

  test("and a fifth less gravity would be detected", () => {
    const light = play(makeSingle("LunarLander-v3", { gravity: -8 }), "nothing", 150);
    expect(deviations(light, scores["LunarLander-v3"].nothing)).toBeGreaterThan(mostDeviations);
  });
});
