import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { measure } from "../book/protocol.ts";
import { arm, example, noise, runnerOf, score } from "../book/testing.ts";
import { SimulatedClock } from "../clock.ts";
import { DivergedError } from "../outcome.ts";
import type { Recipe } from "../recipe.ts";
import type { Claim } from "./claim.ts";
import { claimText, effectText } from "./text.ts";
import type { ClaimVerdict } from "./verdict.ts";

// A small worked example of each kind of claim, through the whole protocol: plan, two blocks, verdict, text.

const folder = mkdtempSync(join(tmpdir(), "reins-kinds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Small independent noise per arm. */
const own = (seed: number, height = 0.1) => (height / 10) * noise(seed * 7.3 + 1);
const because = "it is an example";

async function judged(claim: Claim, more: Parameters<typeof example>[0]) {
  const made: Recipe = example({ claims: [claim], ...more });
  const {
    judged: [found],
    blocks,
  } = await measure(made, runnerOf(made, folder));
  const names = {
    system: made.system.name,
    baselines: made.baselines.map((b) => b.name),
    metrics: made.metrics,
  };
  return { ...found, blocks, says: claimText(claim, names), effect: effectText(claim, found) };
}

const verdictOf = async (claim: Claim, more: Parameters<typeof example>[0]): Promise<ClaimVerdict> =>
  (await judged(claim, more)).verdict;

describe("kinds of claims", () => {
  it("difference: better by at least a size", async () => {
    const claim: Claim = { metric: "score", smallest: 1, because };
    expect(await judged(claim, {})).toMatchObject({
      verdict: "shown",
      says: "new against plain: score higher by at least 1",
      effect: expect.stringMatching(/^(2\.\d+|3(\.\d+)?) \(/),
    });
    expect(await verdictOf({ ...claim, smallest: 5 }, {})).toBe("negligible");
    expect(await verdictOf({ ...claim, direction: "lower" }, {})).toBe("reversed");
  });

  it("ratio: by a factor; in the direction of the metric", async () => {
    const costs = {
      metrics: { cost: { about: "cost", better: "lower", worst: 100, best: 0 } },
      system: arm("new", (seed) => ({ cost: 2 + own(seed) })),
      baselines: [arm("plain", (seed) => ({ cost: 6 + own(seed + 1) }))],
    } as const;
    const claim: Claim = { kind: "ratio", metric: "cost", smallest: 2, because };
    expect(await judged(claim, costs)).toMatchObject({
      verdict: "shown",
      effect: expect.stringMatching(/^×(2\.9|3)/),
    });
    const zero = { ...costs, system: arm("new", () => ({ cost: 0 })) };
    await expect(judged(claim, zero)).rejects.toThrow("a ratio needs values above 0");
  });

  it("no-worse: by a margin", async () => {
    const worse = (by: number) => ({
      system: arm("new", (seed: number) => ({ score: noise(seed) - by + own(seed) })),
    });
    const claim: Claim = { kind: "no-worse", metric: "score", margin: 1, because };
    expect(await verdictOf(claim, worse(0.5))).toBe("shown");
    expect(await verdictOf(claim, worse(2))).toBe("reversed");
  });

  it("equals: a slope of 1 within a tolerance", async () => {
    const slopes = (value: number) => ({
      baselines: [],
      system: arm("new", (seed: number) => ({ score: value + own(seed) })),
    });
    const claim: Claim = { kind: "equals", metric: "score", value: 1, within: 0.2, because };
    expect(await judged(claim, slopes(1.05))).toMatchObject({
      verdict: "shown",
      says: "new: score is 1 ± 0.2",
    });
    expect(await verdictOf(claim, slopes(1.5))).toBe("reversed");
    expect(await verdictOf(claim, slopes(1.2))).toBe("undecided");
  });

  it("at most, at least: a bound of the mean", async () => {
    const gap = (value: number) => ({
      baselines: [],
      system: arm("new", (seed: number) => ({ score: value + own(seed) })),
    });
    const most: Claim = { kind: "at-most", metric: "score", value: 1, because };
    expect(await judged(most, gap(0.5))).toMatchObject({
      verdict: "shown",
      says: "new: score at most 1 on average",
    });
    expect(await verdictOf(most, gap(1.5))).toBe("reversed");
    expect(await verdictOf(most, gap(1))).toBe("undecided");
    expect(await verdictOf({ ...most, kind: "at-least" }, gap(1.5))).toBe("shown");
  });

  it("joint: fewer tokens and no worse accuracy, each of which must be shown", async () => {
    const metrics = {
      tokens: { about: "tokens", better: "lower", worst: 1000, best: 1 },
      accuracy: { about: "accuracy", better: "higher", worst: 0, best: 1 },
    } as const;
    const claim: Claim = {
      kind: "joint",
      because,
      of: [
        { kind: "ratio", metric: "tokens", smallest: 1.5, because },
        { kind: "no-worse", metric: "accuracy", margin: 0.05, because },
      ],
    };
    const sides = (accuracy: number) => ({
      metrics,
      system: arm("new", (seed: number) => ({
        tokens: 50 + own(seed, 1),
        accuracy: accuracy + own(seed, 0.01),
      })),
      baselines: [
        arm("plain", (seed: number) => ({
          tokens: 100 + own(seed, 3),
          accuracy: 0.8 + own(seed + 1, 0.01),
        })),
      ],
    });
    const found = await judged(claim, sides(0.79));
    expect(found).toMatchObject({
      verdict: "shown",
      effect: expect.stringMatching(/^×(1\.99\d*|2[.0]*) .*; -0\.0/),
    });
    expect(found.parts?.length).toBe(2);
    expect(await verdictOf(claim, sides(0.6))).toBe("reversed");
  });

  it("interaction: a larger difference in one metric", async () => {
    const metrics = { hard: { ...score, about: "hard ones" }, easy: { ...score, about: "easy ones" } };
    const sides = {
      metrics,
      system: arm("new", (seed) => ({ hard: 5 + own(seed), easy: 1 + own(seed + 2) })),
      baselines: [arm("plain", (seed) => ({ hard: own(seed + 1), easy: own(seed + 3) }))],
    };
    const claim: Claim = { kind: "interaction", metric: ["hard", "easy"], smallest: 2, because };
    expect(await judged(claim, sides)).toMatchObject({
      verdict: "shown",
      says: "new against plain: at least 2 more in hard ones than in easy ones",
    });
    expect(await verdictOf({ ...claim, metric: ["easy", "hard"] }, sides)).toBe("reversed");
  });

  it("ordering: each better than the next; equivalent: all within a distance", async () => {
    const three = (a: number, b: number, c: number) => ({
      system: arm("new", (seed: number) => ({ score: a + own(seed) })),
      baselines: [
        arm("plain", (seed: number) => ({ score: b + own(seed + 1) })),
        arm("old", (seed: number) => ({ score: c + own(seed + 2) })),
      ],
    });
    const sides = ["new", "plain", "old"];
    const order: Claim = { kind: "ordering", metric: "score", sides, smallest: 0.5, because };
    expect(await verdictOf(order, three(3, 2, 1))).toBe("shown");
    expect(await verdictOf(order, three(3, 1, 2))).toBe("reversed");
    expect(await verdictOf(order, three(3, 2, 2))).toBe("negligible");
    const same: Claim = { kind: "equivalent", metric: "score", sides, within: 0.5, because };
    expect(await verdictOf(same, three(3, 3.1, 2.9))).toBe("shown");
    expect(await verdictOf(same, three(3, 3.1, 1))).toBe("reversed");
  });

  it("correlation over a suite, whose environments are the replicates", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `world ${i}`);
    const place = (replicate: string) => names.indexOf(replicate);
    const suite = {
      replicates: { what: "environment", names, seeds: 3 },
      baselines: [],
      metrics: { horizon: { ...score, about: "horizon" }, failures: { ...score, about: "failures" } },
      system: arm("new", (seed, _, replicate) => ({
        horizon: place(replicate),
        failures: place(replicate) ** 2 + own(seed),
      })),
    };
    const claim: Claim = { kind: "correlation", metric: ["horizon", "failures"], smallest: 0.5, because };
    const found = await judged(claim, suite);
    expect(found).toMatchObject({ verdict: "shown", estimate: 1 });
    expect(found.blocks[0].replicates).toEqual(names);
    expect(await verdictOf({ ...claim, direction: "lower" }, suite)).toBe("reversed");
    // A property of the environment explains another arm's value.
    const two = {
      ...suite,
      baselines: [arm("theory", (_, __, replicate) => ({ horizon: -place(replicate), failures: 0 }))],
    };
    expect(await judged({ ...claim, of: ["theory", "new"] as const, direction: "lower" }, two)).toMatchObject(
      {
        verdict: "shown",
      },
    );
  });

  it("time to reach a level: runs that never reach it count as the horizon", async () => {
    const steps = { about: "steps to 90%", better: "lower", worst: 100, best: 0 } as const;
    const sides = (never: number) => ({
      metrics: { steps },
      system: arm("new", (seed: number) => ({ steps: 20 + own(seed) })),
      baselines: [
        arm("plain", (seed: number) => ({
          steps: seed % 10 < never ? Number.POSITIVE_INFINITY : 60 + own(seed),
        })),
      ],
    });
    const claim: Claim = { kind: "time-to-reach", metric: "steps", smallest: 20, because };
    const found = await judged(claim, sides(3));
    expect(found).toMatchObject({
      verdict: "shown",
      note: expect.stringMatching(/^0 and \d+ of \d+ never$/),
    });
    expect(found.estimate).toBeCloseTo(0.3 * 100 + 0.7 * 60 - 20, -1);
    // If most runs of both never reach it, equality means nothing; nor if the baseline reaches it almost at once.
    const horizon = { metrics: { steps: { about: "steps", better: "lower", worst: 100, best: 0 } } } as const;
    const after = (name: string, steps: (seed: number) => number) =>
      arm(name, (seed) => ({ steps: steps(seed) }));
    const rarely = (seed: number) => (seed % 4 ? Number.POSITIVE_INFINITY : 50 + own(seed, 1));
    const seldom = { ...horizon, system: after("new", rarely), baselines: [after("plain", rarely)] };
    expect(await verdictOf(claim, seldom)).toBe("untestable");
    const soon = { ...horizon, system: after("new", () => 9), baselines: [after("plain", () => 10)] };
    expect(await verdictOf(claim, soon)).toBe("untestable");
    const unreached = { ...sides(10), system: arm("new", () => ({ steps: Number.POSITIVE_INFINITY })) };
    expect(await verdictOf(claim, unreached)).toBe("untestable");
    // Rounds are whole: a level reached in the last one, after the horizon, is not reached in time.
    const late = { ...sides(10), system: arm("new", () => ({ steps: 101 })) };
    expect(await verdictOf(claim, late)).toBe("untestable");
  });

  it("simulated time: a discrete-event clock with fixed latencies", async () => {
    const waiting = (together: boolean) => (seed: number) => {
      const clock = new SimulatedClock(seed);
      let left = 8;
      const work = () => left-- > 0 && clock.after(clock.latency("work", { median: 1, spread: 0.5 }), work);
      for (let i = 0; i < (together ? 4 : 1); i++) work();
      clock.run();
      return { time: clock.now };
    };
    const claim: Claim = { kind: "ratio", metric: "time", smallest: 1.5, because };
    const found = await judged(claim, {
      metrics: {
        time: { about: "simulated seconds", better: "lower", worst: 1e6, best: 0, clock: "simulated" },
      },
      system: arm("asynchronous", waiting(true)),
      baselines: [arm("one at a time", waiting(false))],
    });
    expect(found.verdict).toBe("shown");
  });

  it("wall-clock time: the median of three runs", async () => {
    const asked: unknown[] = [];
    const made = example({
      metrics: { seconds: { about: "seconds", better: "lower", worst: 100, best: 0, clock: "wall" } },
      system: arm("new", () => ({ seconds: asked.push(0) % 3 === 0 ? 50 : 1 })),
      baselines: [arm("plain", () => ({ seconds: 10 }))],
      claims: [{ kind: "ratio", metric: "seconds", smallest: 2, because }],
    });
    const { blocks, judged: all } = await measure(made, runnerOf(made, folder));
    expect(all[0].verdict).toBe("shown");
    expect(blocks[0].values.new.seconds).toEqual(blocks[0].replicates.map(() => 1));
  });

  it("holds: an identity or a bound, in every run, or in one exact run", async () => {
    const made = (violation: number) => ({
      baselines: [],
      exact: true,
      system: arm("new", () => ({ score: violation })),
    });
    const claim: Claim = { kind: "holds", metric: "score", tolerance: 1e-6, because };
    const found = await judged(claim, made(1e-9));
    expect(found).toMatchObject({ verdict: "shown", says: "new: score at most 0.000001" });
    expect(found.blocks[0].replicates.length).toBe(1);
    expect(await verdictOf(claim, made(1e-3))).toBe("reversed");
  });

  it("against each baseline, or against the best one in tuning", async () => {
    const sides = {
      baselines: [
        arm("plain", (seed: number) => ({ score: noise(seed) })),
        arm("strong", (seed: number) => ({ score: noise(seed) + 2.9 + own(seed) })),
      ],
    };
    const claim: Claim = { metric: "score", smallest: 1, because };
    const best = await judged(claim, sides);
    expect(best).toMatchObject({
      verdict: "negligible",
      label: "new and strong",
      says: expect.stringContaining("its best baseline"),
    });
    // The best one depends on the metric.
    const two = {
      metrics: { score, other: score },
      system: arm("new", (seed: number) => ({ score: noise(seed) + 3 + own(seed), other: 3 + own(seed) })),
      baselines: [
        arm("plain", (seed: number) => ({ score: noise(seed), other: 2.9 + own(seed + 1) })),
        arm("strong", (seed: number) => ({ score: noise(seed) + 2.9, other: own(seed + 2) })),
      ],
    };
    expect((await judged(claim, two)).label).toBe("new and strong");
    expect((await judged({ ...claim, metric: "other" }, two)).label).toBe("new and plain");
    const each = await judged({ ...claim, contrast: ["new", "each"] }, sides);
    expect(each.parts?.map((p) => p.verdict)).toEqual(["shown", "negligible"]);
    expect(each.verdict).toBe("negligible");
    expect(await verdictOf({ ...claim, contrast: ["new", "plain"] }, sides)).toBe("shown");
  });

  it("a value of one side against another value of the other: a certificate above the baseline's return", async () => {
    const sides = {
      metrics: {
        certified: { ...score, about: "certified return" },
        attacked: { ...score, about: "return under attack" },
      },
      system: arm("new", (seed: number) => ({ certified: 5 + own(seed), attacked: 6 })),
      baselines: [arm("plain", (seed: number) => ({ certified: 0, attacked: 2 + own(seed) }))],
    };
    const claim: Claim = { metric: ["certified", "attacked"], smallest: 1, because };
    expect(await judged(claim, sides)).toMatchObject({
      verdict: "shown",
      says: expect.stringContaining("certified return against return under attack"),
    });
  });
});

describe("untestable", () => {
  const near = (left: number) => ({
    metrics: { score: { ...score, best: 1 } },
    system: arm("new", (seed: number) => ({ score: 1 - left / 2 + own(seed, 1e-3) })),
    baselines: [arm("plain", (seed: number) => ({ score: 1 - left + own(seed + 1, 1e-3) }))],
  });
  const claim: Claim = { metric: "score", smallest: 0.1, because };

  it("where the baseline leaves nothing to gain", async () => {
    expect(await judged(claim, near(0.1))).toMatchObject({
      verdict: "untestable",
      note: expect.stringContaining("plain leaves 0.1"),
    });
    expect(await verdictOf(claim, near(0.5))).toBe("shown");
    // A shown effect stays shown, regardless of the room.
    expect(await verdictOf(claim, near(0.25))).toBe("shown");
  });

  it("where a precondition of the claim fails", async () => {
    const presupposes = { metric: "score", least: 0.9, because: "the baseline must work" };
    expect(await judged({ ...claim, presupposes }, near(0.5))).toMatchObject({
      verdict: "untestable",
      note: expect.stringContaining("the baseline must work: score of plain is 0.5"),
    });
    const differ = { metric: "score", side: "new", over: "plain", because: "they must differ" };
    const above = (least: number) => ({ ...claim, presupposes: { ...differ, least } });
    expect(await verdictOf(above(0.2), near(0.5))).toBe("shown");
    expect(await judged(above(0.4), near(0.5))).toMatchObject({
      verdict: "untestable",
      note: expect.stringContaining("they must differ: score of new minus that of plain is"),
    });
    const joint: Claim = { kind: "joint", because, of: [{ ...claim, presupposes }, claim] };
    expect(await verdictOf(joint, near(0.5))).toBe("untestable");
    const work = arm("works", (seed: number) => ({ score: 0.95 + own(seed, 1e-3) }));
    const each = { ...near(0.5), baselines: [work, ...near(0.5).baselines] };
    const against: Claim = { ...claim, contrast: ["new", "each"], smallest: 1e-3, presupposes };
    expect((await judged(against, each)).parts?.map((p) => p.verdict)).toEqual(["reversed", "untestable"]);
  });

  it("and preconditions on other values use the runs that have them", async () => {
    const values = (shift: number) => (seed: number) => {
      if (seed === 104) throw new DivergedError("it did");
      return { score: shift + own(seed), optimum: 50 };
    };
    const sides = {
      metrics: { score: { ...score, worst: 0, best: "optimum" } },
      system: arm("new", values(5)),
      baselines: [arm("plain", values(2))],
    };
    const presupposes = { metric: "optimum", least: 1, because: "there is one" };
    expect(await verdictOf({ metric: "score", smallest: 1, because, presupposes }, sides)).toBe("shown");
  });
});

describe("rejected recipes", () => {
  const claim = { metric: "score", smallest: 1, because } as const;
  it.each([
    ["no baseline where a claim needs one", { baselines: [] }, "no baseline to compare with"],
    [
      "an unknown metric",
      { claims: [{ ...claim, metric: "points" }] },
      "points is not a metric. Metrics: score",
    ],
    [
      "an unknown arm",
      { claims: [{ ...claim, contrast: ["newer", "plain"] }] },
      "newer is not an arm. Arms: new, plain",
    ],
    [
      "a claim against an arm that is not tuned",
      { ablations: [arm("less", () => ({ score: 0 }))], claims: [{ ...claim, contrast: ["new", "less"] }] },
      "less is not tuned",
    ],
    ["no reason for the size", { claims: [{ ...claim, because: "" }] }, "why this size is relevant"],
    ["no size", { claims: [{ ...claim, smallest: 0 }] }, "the size is 0"],
    ["an invalid ratio", { claims: [{ ...claim, kind: "ratio", smallest: 0.9 }] }, "must be above 1"],
    ["no deviation", { deviations: [] }, "how it differs from the paper"],
    ["two arms with one name", { baselines: [arm("new", () => ({ score: 0 }))] }, "distinct names"],
    ["no claims", { claims: [] }, "has no claims"],
    ["an invalid worst", { metrics: { score: { ...score, worst: Number.NaN } } }, "metrics.score.worst"],
    ["an empty budget", { budget: { unit: "steps", full: 0, quick: 1 } }, "above 0"],
    ["tuning seeds beyond the evaluation seeds", { tuningSeeds: 60 }, "seeds from 100 on are for evaluation"],
    ["invalid minutes", { minutes: Number.NaN }, "minutes is NaN"],
    [
      "a suite of one",
      { replicates: { what: "task", names: ["a"], seeds: 1 } },
      "a suite needs several distinct names",
    ],
    ["a suite without seeds", { replicates: { what: "task", names: ["a", "b"], seeds: 0 } }, "not 0"],
    ["a duplicate value in a grid", { grid: { rate: [1, 2, 1] } }, "the grid of rate (1, 2, 1)"],
    ["an order of one", { claims: [{ ...claim, kind: "ordering", sides: ["new"] }] }, "at least two"],
    ["an empty joint claim", { claims: [{ kind: "joint", of: [], because }] }, "has no parts"],
    ["several runs of an exact recipe", { exact: true }, "supports claims of kind holds only"],
  ] as [string, Parameters<typeof example>[0], string][])("%s", (_, more, words) => {
    expect(() => example(more)).toThrow(words);
  });
});
