import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { testbed } from "../testbed.ts";
import type { RowOptions, TestbedOptions } from "../testbed-options.ts";
import { continuationOf } from "./continuation.ts";
import { levelOf } from "./level.ts";
import { rolesOf } from "./prepare.ts";
import { measure } from "./protocol.ts";
import { type Result, writeResult } from "./result.ts";
import { recordedFirst, recordedTestbed, testbedRecord, testbedVersion } from "./testbed-record.ts";
import { arm, noise, runnerOf } from "./testing.ts";
import type { Job } from "./trial.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-testbed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Accuracy around 0.5: best at this rate, equal seeds share most of their noise. */
const accuracy =
  (best: number, gain: number) =>
  (seed: number, s: { readonly rate?: unknown; readonly depth?: unknown }) => ({
    accuracy:
      0.5 +
      gain +
      0.005 * noise(seed) +
      0.002 * noise(seed * (best + gain)) -
      0.05 * (Math.log2(s.rate as number) - best - 0.1) ** 2 -
      0.01 * Math.abs((s.depth as number) - 2.1),
    flat: 0.25,
  });
const options: TestbedOptions = {
  id: "bed",
  title: "A testbed",
  about: "Invented numbers.",
  baselines: [
    arm("plain", accuracy(2, 0), { content: "plain" }),
    arm("other", accuracy(2, -0.05), { content: "other" }),
  ],
  grid: { rate: [1, 2, 4, 8, 16], depth: [1, 2, 3] },
  rowGrid: { rate: [2, 4, 8], depth: [1, 2, 3] },
  metrics: { accuracy: { about: "accuracy", better: "higher", worst: -1, best: 1 } },
  answers: 20_000,
  smallest: { accuracy: { size: 0.02, because: "it is an example" } },
  conditions: { flat: { about: "flat groups", of: (mean) => mean("flat") } },
  budget: { unit: "steps", full: 5, quick: 1 },
  deviations: ["It is made up."],
};
const bed = testbed(options);
const row = (gain: number, more: Partial<RowOptions> = {}) =>
  bed.recipe({
    id: "row",
    paper: "A paper",
    source: { paper: "arXiv:1", equations: "(1)" },
    about: "It gains.",
    system: arm("new", accuracy(2, gain)),
    ablation: arm("new without it", accuracy(2, 0.001)),
    presupposes: { flat: { least: 0.2, because: "nothing is lost otherwise" } },
    claims: ["accuracy"],
    deviations: ["It is made up."],
    ...more,
  });

async function measuredBed(): Promise<Result> {
  const found = await measure(bed, runnerOf(bed, folder));
  const result = {
    ...found,
    id: "bed",
    claims: bed.claims,
    metrics: bed.metrics,
    system: "plain",
    baselines: ["other"],
    settings: Object.fromEntries(["plain", "other"].map((name, i) => [name, found.settings[i]])),
    testbed: testbedRecord(bed, found.pilot!),
  } as unknown as Result;
  writeResult(folder, result);
  return result;
}
const measured = measuredBed();

describe("a testbed", () => {
  it("is measured once, with 40 tuning seeds for the finalists and 100 evaluation seeds", async () => {
    const { blocks, tuning, testbed: record, judged, plan } = await measured;
    expect(blocks.map((b) => [b.firstSeed, b.replicates.length])).toEqual([
      [100, 50],
      [1100, 50],
    ]);
    expect(tuning[0].chosen).toEqual({ rate: 4, depth: 2 });
    expect(tuning[0].points.filter((p) => p.values.length === 40).length).toBeGreaterThanOrEqual(3);
    expect(record?.conditions).toEqual({ flat: 0.25 });
    expect(record?.pilot.replicates).toHaveLength(40);
    expect(plan.replicates).toBe(50);
    // Its own claim: at least three times the smallest effect is left to gain.
    expect(judged[0].verdict).toBe("shown");
  });

  it("states the evaluation noise: binomial variance of both arms over that of paired differences", async () => {
    const { testbed: record } = await measured;
    const { values } = record!.pilot;
    const variance = (p: number) => (p * (1 - p)) / 20_000;
    const all = ["plain", "other"].map((name) => values[name].accuracy.map(variance));
    const noiseVariance = all.reduce((sum, v) => sum + v.reduce((a, b) => a + b, 0) / v.length, 0);
    expect(record!.noise).toBeCloseTo(noiseVariance / record!.spread ** 2, 12);
  });

  it.each([
    ["two-axes", { grid: { rate: [1, 2], depth: [1] } }],
    ["plain-arms", { baselines: [arm("a", accuracy(2, 0)), options.baselines[1]] as const }],
    ["evaluation", { answers: 300 }],
    ["smallest-effect", { smallest: {} }],
    ["equal-axes", { rowGrid: { width: [1, 2] } }],
    ["conditions", { conditions: {} }],
  ] as const)("refuses a violation of rule %s by name", (rule, change) => {
    expect(() => testbed({ ...options, ...change })).toThrow(`rule ${rule}: `);
  });

  it("has a version that depends on its data, not on its texts", () => {
    const of = (change: Partial<TestbedOptions>) => testbedVersion(testbed({ ...options, ...change }));
    expect(of({ about: "Other words." })).toBe(testbedVersion(bed));
    expect(of({ answers: 30_000 })).not.toBe(testbedVersion(bed));
    expect(of({ grid: { ...options.grid, depth: [1, 2] } })).not.toBe(testbedVersion(bed));
    expect(testbedVersion(row(0.1))).toBe(testbedVersion(bed));
  });
});

describe("a recipe on a testbed", () => {
  const run = async (gain: number, more?: Partial<RowOptions>, whole?: boolean) => {
    const asked: Job[] = [];
    const made = row(gain, more);
    const found = await measure(made, runnerOf(made, folder, asked), { on: await measured, whole });
    return { found, asked, made };
  };

  it("takes its baselines from the record, and runs only its own arms", async () => {
    const { found, asked, made } = await run(0.1);
    const names = [made.system, ...made.baselines, ...made.ablations!].map((a) => a.name);
    expect(new Set(asked.map((j) => names[j.side]))).toEqual(new Set(["new", "new without it"]));
    const bedBlocks = (await measured).blocks;
    expect(found.blocks[1].values.plain.accuracy).toEqual(bedBlocks[1].values.plain.accuracy.slice(0, 10));
    expect(found.tuning.map((t) => t.side)).toEqual(["new", "plain", "other"]);
    expect(found.judged[0].verdict).toBe("shown");
    expect(found.continuation).toBe("decided");
    // The ablation has an interval: it runs for every replicate.
    expect(found.blocks[0].values["new without it"].accuracy).toHaveLength(10);
  });

  it("stops after ten replicates a block where the smallest effect is out of reach, unless told to go on", async () => {
    const claims: RowOptions["claims"] = [
      { metric: "accuracy", smallest: 0.0185, because: "it is an example" },
    ];
    const { found } = await run(0.004, { claims });
    expect(found.blocks[0].replicates).toHaveLength(10);
    expect(["decided", "open, unlikely to reach Δ"]).toContain(found.continuation);
    const whole = (await run(0.004, { claims }, true)).found;
    expect(whole.continuation).toBeUndefined();
    expect(whole.blocks[0].replicates).toHaveLength(whole.plan.replicates);
  });

  it("predicts 40 replicates: goes on above the smallest effect, stays open around it, stops below", () => {
    const made = row(0.1);
    const cast = { ...rolesOf(made), best: { accuracy: "plain" } };
    const judged = (mean: number) => {
      // Effects of alternating size: mean ± 0.05, a deviation of 0.0513 for 20 replicates.
      const effects = Array.from({ length: 20 }, (_, i) => mean + (i % 2 ? 0.05 : -0.05));
      const replicates = effects.map((_, i) => `${i}`);
      const table = {
        replicates,
        values: { new: { accuracy: effects }, plain: { accuracy: effects.map(() => 0) } },
      };
      return continuationOf(made, cast, table);
    };
    // t(0.9; 19) = 1.328, so the prediction interval has a half-width of 1.328 × 0.0513 × √(1/20 + 1/40) = 0.01866.
    expect(judged(0.039)).toBe("goes on");
    expect(judged(0.038)).toBe("open");
    expect(judged(0.002)).toBe("open");
    expect(judged(0.001)).toBe("open, unlikely to reach Δ");
  });

  it.each([
    ["source", { source: { paper: "arXiv:1" } }],
    ["conditions", { presupposes: { collapse: { least: 1, because: "it needs one" } } }],
    ["equal-budgets", { system: arm("new", accuracy(2, 0), { budget: { full: 9, quick: 1 } }) }],
    ["equal-tuning", { grid: { rate: [1, 2, 4, 8, 16, 32], depth: [1, 2, 3] } }],
  ] as const)("refuses a violation of rule %s by name", (rule, change) => {
    expect(() => row(0.1, change)).toThrow(`rule ${rule}: `);
  });

  it("refuses a testbed that is not measured, another version, and a precondition that does not hold", async () => {
    await measured;
    expect(recordedTestbed(folder, row(0.1)).testbed.conditions.flat).toBe(0.25);
    const presupposes = { flat: { least: 0.5, because: "most groups must be flat" } };
    expect(() => recordedTestbed(folder, row(0.1, { presupposes }))).toThrow(
      "rule preconditions: it presupposes flat of at least 0.5",
    );
    const noisy = join(folder, "noisy");
    const result = await measured;
    writeResult(noisy, { ...result, testbed: { ...result.testbed!, noise: 0.3 } });
    expect(() => recordedTestbed(noisy, row(0.1))).toThrow("rule evaluation-noise: 30% of the variance");
    const changed = testbed({ ...options, answers: 30_000 });
    const other = changed.recipe({ ...rowOptions(), id: "row" });
    expect(() => recordedTestbed(folder, other)).toThrow("rule testbed-version: bed has changed");
    expect(() => recordedTestbed(join(folder, "none"), row(0.1))).toThrow("rule testbed-first: ");
  });

  it("runs seeds that the record lacks", async () => {
    const asked: Job[] = [];
    const made = row(0.1);
    const all = recordedFirst(made, await measured, runnerOf(made, folder, asked));
    const settings = (await measured).settings.plain;
    const job = (seed: number): Job => ({ side: 1, seed, settings, quick: false });
    const outcomes = await all([job(100), job(2100), job(1149)]);
    expect(asked.map((j) => j.seed)).toEqual([2100]);
    expect(outcomes.map((o) => o.values.accuracy)).toHaveLength(3);
  });

  it("is at level works after the first look, and measured at the planned number", async () => {
    const { found, made } = await run(0.1);
    const result = { ...found, id: "row" } as unknown as Result;
    expect(levelOf(made, undefined)).toBeUndefined();
    expect(levelOf(made, { ...result, plan: { ...result.plan, needed: 11 } })).toBe("works");
    expect(levelOf(made, { ...result, plan: { ...result.plan, needed: 10 } })).toBe("measured");
  });
});

const rowOptions = (): RowOptions => ({
  id: "row",
  paper: "A paper",
  source: { paper: "arXiv:1", equations: "(1)" },
  about: "It gains.",
  system: arm("new", accuracy(2, 0.1)),
  ablation: arm("new without it", accuracy(2, 0.001)),
  presupposes: "nothing",
  claims: ["accuracy"],
  deviations: ["It is made up."],
});
