import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { algorithms } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { bestSettings } from "./best-settings.ts";
import { expectedImprovement, gaussian } from "./gaussian.ts";
import { halving, rungsOf } from "./halving.ts";
import { importances, importancesText, shareOf } from "./importance.ts";
import { importancePlot } from "./importance-plot.ts";
import { generations, lineageOf, population } from "./population.ts";
import { randomSearch } from "./random.ts";
import { report } from "./report.ts";
import { bestOf, type Piece, type PieceResult, type Search, type SearchPlan } from "./search.ts";
import { between, oneOf, placeOf, type Settings, type Space, usual, usualSpace, valueAt } from "./space.ts";
import { workFor } from "./work-for.ts";

const space: Space = [
  { name: "rate", low: 1e-4, high: 1e-1, scale: "log", whole: false },
  { name: "idle", low: 0, high: 1, scale: "linear", whole: false },
];
const plan: SearchPlan = { space, trials: 27, steps: 900, seeds: [50, 51], seed: 3 };

/** Score with an optimum at rate 0.003; more steps help, the other setting has no effect. */
const height = ({ rate }: Settings, steps: number, noise: number) =>
  steps / 900 - (Math.log10(rate as number) + 2.5) ** 2 + 0.02 * noise;

/** Simulates a search with `jobs` parallel pieces, continuing from `results`. */
function play(
  search: Search,
  p: SearchPlan,
  jobs = 1,
  results: PieceResult[] = [],
  score = height,
): PieceResult[] {
  const running: Piece[] = [];
  for (;;) {
    let next = search(p, results, running);
    while (next !== "wait" && next !== "done" && running.length < jobs) {
      running.push(next);
      next = search(p, results, running);
    }
    const piece = running.shift();
    if (!piece) return results;
    const noise = defaultRng(stream(piece.seed, "noise", piece.trial)).random();
    results.push({ piece, score: score(piece.settings, piece.to, noise) });
  }
}

describe("search space", () => {
  it("maps positions to values and back", () => {
    const [rate] = space;
    expect([0, 0.5, 1].map((x) => valueAt(rate, x))).toEqual([1e-4, 0.00316, 0.1]);
    expect(placeOf(rate, 0.00316)).toBeCloseTo(0.5, 3);
    const gamma = usual(algorithms.ppo, "gamma")!;
    expect(gamma).toMatchObject({ low: 0.9, high: 0.999, scale: "towards-one" });
    expect(valueAt(gamma, 0.5)).toBeCloseTo(0.99, 6);
    const widths = oneOf(algorithms.ppo, "hidden", [[32], [64, 64]]);
    expect(valueAt(widths, placeOf(widths, [64, 64]))).toEqual([64, 64]);
    const envs = between(algorithms.ppo, "envs", 1, 100);
    expect(Number.isInteger(valueAt(envs, 0.37))).toBe(true);
    const names = usualSpace(algorithms.ppo).map((d) => d.name);
    expect(names).toContain("learningRate");
    expect(names).not.toContain("envs");
    // Without PopArt and self-imitation their settings have no effect.
    for (const idle of ["popArtRate", "imitationWeight"]) expect(names).not.toContain(idle);
    const enabled = usualSpace(algorithms.ppo, { popArt: true, selfImitation: 4 }).map((d) => d.name);
    expect(enabled).toEqual(
      expect.arrayContaining(["popArtRate", "imitationWeight", "imitationValueWeight"]),
    );
  });

  it("rejects unknown settings and invalid ranges", () => {
    expect(() => between(algorithms.ppo, "learningrate", 0, 1)).toThrow("Did you mean learningRate");
    expect(() => between(algorithms.ppo, "clip", 0.3, 0.1)).toThrow("must be smaller");
    expect(() => between(algorithms.ppo, "gamma", 0.9, 1.5)).toThrow("from 0 to 1");
    expect(() => between(algorithms.ppo, "hidden", 1, 2)).toThrow("not a number");
    expect(() => oneOf(algorithms.ppo, "hidden", [[1]])).toThrow("at least two");
  });
});

describe("searches", () => {
  it("random search trains every trial with every seed once", () => {
    const results = play(randomSearch, plan, 3);
    expect(results.length).toBe(54);
    expect(new Set(results.map((t) => `${t.piece.trial} ${t.piece.seed}`)).size).toBe(54);
    const again = play(randomSearch, plan, 1);
    expect(bestOf(plan, again)).toEqual(bestOf(plan, results));
  });

  it("successive halving promotes a third of the trials and finds the best", () => {
    expect(rungsOf(plan)).toEqual([33, 100, 300, 900]);
    const results = play(halving, plan);
    const at = (rung: number) =>
      new Set(results.filter((t) => t.piece.rung === rung).map((t) => t.piece.trial));
    expect(at(0).size).toBe(27);
    // Early trials may be promoted that would not be in the end.
    for (const rung of [1, 2, 3]) expect(at(rung).size).toBeGreaterThanOrEqual(Math.floor(27 / 3 ** rung));
    expect(at(3).size).toBeLessThanOrEqual(4);
    const best = bestOf(plan, results)!;
    expect(Math.abs(Math.log10(best.settings.rate as number) + 2.5)).toBeLessThan(0.3);
    const spent = results.reduce((sum, t) => sum + t.piece.to - (t.piece.rung ? t.piece.to / 3 : 0), 0);
    expect(spent).toBeLessThan(0.3 * 54 * 900);
  });

  it("a Gaussian process is closer to the optimum than random search, in parallel", () => {
    const short = { ...plan, trials: 16 };
    const far = (search: Search, seed: number) => {
      const results = play(search, { ...short, seed }, 3);
      return Math.abs(Math.log10(bestOf(short, results)!.settings.rate as number) + 2.5);
    };
    const mean = (search: Search) => [1, 2, 3, 4].reduce((sum, seed) => sum + far(search, seed), 0) / 4;
    expect(mean(gaussian)).toBeLessThan(0.05);
    expect(mean(gaussian)).toBeLessThan(mean(randomSearch));
  });

  it("a population replaces the worst quarter and returns a schedule", () => {
    const eight = { ...plan, trials: 8 };
    const results = play(population, eight, 2);
    expect(results.length).toBe(8 * generations);
    const heirs = results.filter((t) => t.piece.parent !== undefined);
    expect(heirs.length).toBe(2 * (generations - 1));
    for (const { piece } of heirs) {
      const before = (trial: number) =>
        results.find((t) => t.piece.trial === trial && t.piece.rung === piece.rung - 1)!.score;
      expect(before(piece.parent!)).toBeGreaterThan(before(piece.trial));
    }
    const last = results.filter((t) => t.piece.rung === generations - 1);
    const best = last.reduce((a, b) => (b.score > a.score ? b : a));
    expect(lineageOf(results, best.piece.trial).length).toBe(generations);
    const settings = bestSettings(eight, results, "pbt")!;
    expect(Object.keys(settings)).toEqual(["rate", "idle"]);
  });

  it("a population has a schedule only for settings that may change during a run", () => {
    const sizes = [
      between(algorithms.dqn, "batch", 16, 256),
      between(algorithms.dqn, "learningRate", 1e-4, 1e-2),
    ];
    const eight = { ...plan, trials: 8, space: sizes };
    const moving = ({ batch, learningRate }: Settings, steps: number) =>
      steps / 900 - Math.log10(learningRate as number) * (batch as number);
    const { batch, learningRate } = [1, 2, 3, 4, 5]
      .map(
        (seed) =>
          bestSettings({ ...eight, seed }, play(population, { ...eight, seed }, 1, [], moving), "pbt")!,
      )
      .find((found) => typeof found.learningRate !== "number")!;
    expect(learningRate).toMatchObject({ signal: "piecewise" });
    expect(batch).toEqual(expect.any(Number));
  });

  it("a population trains for the budget in total", () => {
    const eight = { ...plan, trials: 8, steps: 1001 };
    const own = play(population, eight).filter((t) => t.piece.trial === 0);
    const works = own.map((t) => workFor("pbt", t.piece, { folder: "x", savable: true, steps: 1001 }));
    expect(works.reduce((sum, w) => sum + w.to, 0)).toBe(1001);
  });

  it.each([
    ["random", randomSearch],
    ["asha", halving],
    ["gp", gaussian],
    ["pbt", population],
  ] as const)("%s continues from results as if not stopped, and handles failures", (_, search) => {
    const small = { ...plan, trials: 9 };
    const whole = play(search, small);
    const stopped = play(search, small, 1, whole.slice(0, 7));
    expect(stopped).toEqual(whole);
    const bad = (s: Settings, steps: number, noise: number) =>
      (s.idle as number) > 0.6 ? Number.NEGATIVE_INFINITY : height(s, steps, noise);
    const results = play(search, small, 2, [], bad);
    expect(results.some((t) => t.score === Number.NEGATIVE_INFINITY)).toBe(true);
    const ends = search === population ? { ...small, seeds: [0] } : small;
    expect(Number.isFinite(bestOf(ends, results)!.score)).toBe(true);
  });
});

describe("expected improvement", () => {
  it("equals the numerical integral", () => {
    const [mean, deviation] = [-0.3, 0.7];
    let sum = 0;
    const h = 1e-3;
    for (let z = -8; z < 8; z += h)
      sum += (Math.max(0, mean + deviation * z) * Math.exp(-0.5 * z * z) * h) / Math.sqrt(2 * Math.PI);
    expect(expectedImprovement(mean, deviation)).toBeCloseTo(sum, 5);
  });
});

describe("importance", () => {
  it("is the explained variance, corrected for chance", () => {
    expect(shareOf([0, 0, 1, 1], [1, 1, 5, 5])).toBe(1);
    expect(shareOf([0, 1, 0, 1], [1, 1, 5, 5])).toBe(0);
    // η² = 0.8: 1 - 0.2 · 3 / 2.
    expect(shareOf([0, 0, 1, 1], [0, 1, 2, 3])).toBeCloseTo(0.7, 12);
    const results = play(randomSearch, { ...plan, trials: 40 });
    const [first, second] = importances({ ...plan, trials: 40 }, results);
    expect(first.dimension.name).toBe("rate");
    expect(first.share).toBeGreaterThan(0.7);
    expect(second.share).toBeLessThan(0.2);
    expect(importancesText([first, second])).toMatch(/^rate \d+%; idle \d+%$/);
    const picture = importancePlot({ ...plan, trials: 40 }, results, { title: "a search" });
    expect(picture.match(/<circle/g)?.length).toBe(80);
    expect(picture).toMatch(/rate \d+%/);
    // Failures are analysed separately: here they depend on the other setting.
    const some = results.map((t) =>
      (t.piece.settings.idle as number) > 0.7 ? { ...t, score: Number.NEGATIVE_INFINITY } : t,
    );
    const [rate, idle] = importances({ ...plan, trials: 40 }, some);
    expect(rate.dimension.name).toBe("rate");
    expect(idle.failing).toBeGreaterThan(0.6);
  });

  it("is undefined with few trials", () => {
    const few = { ...plan, trials: 9 };
    const results = play(randomSearch, few);
    expect(importances(few, results).map((m) => m.share)).toEqual([undefined, undefined]);
    expect(importancesText(importances(few, results))).toContain("too few trials (at least 12 are needed)");
  });

  it("plots all trials at the first rung and marks the chosen one", () => {
    const results = play(halving, { ...plan, trials: 9 });
    const { trial, settings } = bestOf(plan, results)!;
    const caption = { title: "a <search>", chosen: { trial, words: "chosen settings" } };
    const picture = importancePlot({ ...plan, trials: 9 }, results, caption);
    expect(picture).toContain("Return after 100 steps. Importance of settings: too few trials");
    expect(picture).toContain("a &lt;search>");
    expect(picture).toContain(">return</text>");
    // One dot per panel and one in the legend.
    expect(picture.match(/<circle [^>]*r="5"/g)?.length).toBe(3);
    const frames = [...picture.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)];
    const within = (x: number, y: number) =>
      frames.some((f) => {
        const [left, top, width, height] = f.slice(1).map(Number);
        return x > left + 5 && x < left + width - 5 && y > top + 5 && y < top + height - 5;
      });
    const dots = [...picture.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].slice(1);
    expect(dots.length).toBe(18);
    for (const [, x, y] of dots) expect(within(Number(x), Number(y))).toBe(true);
    // The chosen trial is marked, not the best at the first rung.
    const [, x] = /<circle cx="([\d.]+)"[^>]*r="5"/.exec(picture.slice(picture.indexOf(">rate<")))!;
    const [left, width] = [Number(frames[0][1]) + 14, Number(frames[0][3]) - 28];
    expect((Number(x) - left) / width).toBeCloseTo(placeOf(space[0], settings.rate), 2);
  });
});

it("the report says if the best trial is not better on the test seeds", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-report-"));
  const setup = { algorithm: "ppo", env: "CartPole-v1", steps: 900, typed: {}, envOptions: {}, episodes: 1 };
  const results = play(randomSearch, plan);
  const lines = (best: number[], plain: number[]) =>
    report(plan, results, { best, plain }, { method: "random", setup, folder }, algorithms.ppo).lines.join(
      "\n",
    );
  expect(lines([10, 12], [30, 32])).toContain("Tuning did not help");
  expect(lines([30, 32], [10, 12])).not.toContain("Tuning did not help");
  expect(lines([30, 32], [10, 12])).not.toContain("failed");
  const tests = { best: [90], plain: [10, 12], failed: { best: 1, plain: 0 } };
  const partial = report(plan, results, tests, { method: "random", setup, folder }, algorithms.ppo);
  expect(partial.lines.join("\n")).toContain(
    "1 of 2 tests with these settings and 0 of 2 without tuning failed, and are not in these means.",
  );
  expect(partial.json).toMatchObject({ test: { failed: { best: 1, plain: 0 } } });
  rmSync(folder, { recursive: true });
});
