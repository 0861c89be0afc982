import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DivergedError } from "../outcome.ts";
import { blockStart, measure } from "./protocol.ts";
import { arm, example, noise, runnerOf, score } from "./testing.ts";
import { type Job, runTrial } from "./trial.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rated =
  (best: number, gain: number) =>
  (seed: number, { rate }: { readonly rate?: unknown }) => ({
    score: noise(seed) + gain + 0.1 * noise(seed * best) - (Math.log2(rate as number) - Math.log2(best)) ** 2,
  });
const tunable = example({
  system: arm("new", rated(4, 3)),
  baselines: [arm("plain", rated(2, 0))],
  grid: { rate: [0.5, 2, 4, 8.5] },
});

describe("the protocol", () => {
  it("tunes from seed 50, and compares two blocks of seeds", async () => {
    const asked: Job[] = [];
    const found = await measure(tunable, runnerOf(tunable, folder, asked));
    expect(found.judged[0]).toMatchObject({ verdict: "shown", estimate: expect.closeTo(3, 0) });
    expect(found.settings).toEqual([{ rate: 4 }, { rate: 2 }]);
    expect(found.best).toEqual({ score: "plain" });
    expect(found.blocks.map((b) => [b.firstSeed, b.replicates.length])).toEqual([
      [100, found.plan.replicates],
      [1100, found.plan.replicates],
    ]);
    const tuned = asked.filter((j) => j.seed < 100);
    expect(tuned.every((j) => j.seed >= 50)).toBe(true);
    // All evaluation comes after all tuning.
    expect(asked.slice(0, tuned.length).every((j) => j.seed < 100)).toBe(true);
    const evaluated = asked.slice(tuned.length);
    expect(evaluated.slice(0, 4).map((j) => [j.side, j.seed])).toEqual([
      [0, 100],
      [1, 100],
      [0, 101],
      [1, 101],
    ]);
    expect(found.blocks[0].used.new).toEqual(found.blocks[0].replicates.map(() => 5));
  });

  it("rejects claims that cannot be judged before any evaluation seed runs", async () => {
    const claim = { metric: "score", smallest: 1, because: "it is an example" } as const;
    const presupposes = { metric: "nothing", least: 1, because: "it is asked for" };
    for (const more of [{ presupposes }, { interval: "exact" }] as const) {
      const asked: Job[] = [];
      const made = example({ claims: [{ ...claim, ...more }] });
      await expect(measure(made, runnerOf(made, folder, asked))).rejects.toThrow(
        /not measured|must be -1, 0 or 1/,
      );
      expect(asked.every((j) => j.seed < 100)).toBe(true);
    }
  });

  it("plans replicates from the spread in tuning, at least ten, and within the time limit", async () => {
    const wide = (minutes?: number) => {
      const made = example({
        system: arm("new", (seed) => ({ score: noise(seed) })),
        baselines: [arm("plain", (seed) => ({ score: noise(seed * 3) }))],
        claims: [{ metric: "score", smallest: 5, because: "it is an example" }],
        minutes,
      });
      const slow = async (jobs: readonly Job[]) =>
        (await runnerOf(made, folder)(jobs)).map((o) => ({ ...o, seconds: 1 }));
      return measure(made, slow);
    };
    const { plan } = await wide();
    // Two sines of amplitude 10: a spread of about 10, so (2.8 × 10 / 5)² plus two.
    expect(plan.spread).toBeGreaterThan(7);
    // From 40 pilots: χ²(0.2; 39) = 31.44, so the upper 80% limit of the spread is √(39 / 31.44) times the estimate.
    const limit = plan.spread * Math.sqrt(39 / 31.441);
    expect(plan.needed).toBe(Math.ceil(((1.959964 + 0.841621) * limit) ** 2 / 25 + 2));
    expect(plan.replicates).toBe(plan.needed);
    // One second per run and half a minute per block: fewer pilots, and as many replicates as fit.
    expect((await wide(0.5)).plan).toMatchObject({ replicates: 15, most: 15 });
    const narrow = await measure(example(), runnerOf(example(), folder));
    expect(narrow.plan.replicates).toBe(10);
  });

  it("evaluates rivals of the chosen points with the same seeds, and keeps them separate", async () => {
    const [system, plain] = [{ rate: 4 }, { rate: 2 }];
    const plan = { replicates: 10, needed: 10, spread: 1 };
    const tuning = [
      { side: "new", points: [], chosen: system },
      { side: "plain", points: [], chosen: plain, rivals: [{ rate: 4 }, { rate: 8.5 }] },
    ];
    const prepared = { settings: [system, plain], tuning, best: { score: "plain" }, plan };
    const asked: Job[] = [];
    const found = await measure(tunable, runnerOf(tunable, folder, asked), { prepared });
    expect(asked.slice(0, 4).map((j) => [j.side, j.seed, j.settings.rate])).toEqual([
      [0, 100, 4],
      [1, 100, 2],
      [1, 100, 4],
      [1, 100, 8.5],
    ]);
    const [{ values, rivals, used }] = found.blocks;
    expect(rivals?.plain.map((r) => r.score.length)).toEqual([10, 10]);
    // A point one step from the best loses one.
    expect(values.plain.score[0] - (rivals?.plain[0].score[0] ?? 0)).toBeCloseTo(1, 9);
    expect([values.plain.score.length, used.plain.length]).toEqual([10, 10]);
  });

  it("starts at the given block, and rejects invalid blocks", async () => {
    const made = example();
    const found = await measure(made, runnerOf(made, folder), { block: 3, blocks: 1 });
    expect(found.blocks.map((b) => b.firstSeed)).toEqual([3100]);
    expect(blockStart(1)).toBe(1100);
    for (const block of [-1, 0.5, Number.NaN])
      await expect(measure(made, runnerOf(made, folder), { block })).rejects.toThrow(
        "other seeds are for tuning",
      );
  });

  it("counts runs that diverge or end in NaN as the worst, and records it", async () => {
    const failing = example({
      system: {
        name: "new",
        run({ seed }) {
          if (seed === 103) throw new DivergedError("diverged");
          return { values: { score: seed === 104 ? Number.NaN : 0 }, early: [], used: 1 };
        },
      },
    });
    const { blocks } = await measure(failing, runnerOf(failing, folder));
    expect(blocks[0].values.new.score.slice(3, 6)).toEqual([-1000, -1000, 0]);
    expect(blocks[0].failed).toEqual({ new: { 103: "diverged", 104: "score was NaN" } });
    // A quick trial shows what happens.
    await expect(
      runTrial(failing, { side: 0, seed: 103, settings: {}, quick: true }, folder),
    ).rejects.toThrow("diverged");
  });

  it("ends at an error that is not a divergence", async () => {
    const trial = (values: { [m: string]: number }, used = 5, better: "higher" | "lower" = "higher") =>
      runTrial(
        example({
          metrics: { score: { ...score, better } },
          system: { name: "new", run: () => ({ values, early: [], used }) },
        }),
        { side: 0, seed: 100, settings: {}, quick: false },
        folder,
      );
    expect((await trial({ score: -1000 })).values).toEqual({ score: -1000 });
    await expect(trial({ score: -1001 })).rejects.toThrow(
      "score was -1001, worse than metrics.score.worst (-1000)",
    );
    await expect(trial({ score: 1 }, 5, "lower")).rejects.toThrow("worse than");
    await expect(trial({ other: 1 })).rejects.toThrow("example, new, seed 100: it returned no score");
    await expect(trial(JSON.parse(`{ "score": "5" }`))).rejects.toThrow("the string 5 as score");
    await expect(trial({ score: 1 }, Number.NaN)).rejects.toThrow("the reported use is NaN steps");
    expect(await trial({ score: 1 }, 5.2)).toMatchObject({ used: 5.2 });
    await expect(trial({ score: 1 }, 6)).rejects.toThrow("example, new, seed 100: it used 6 steps of 5");
    const broken = example({
      system: {
        name: "new",
        run: () => {
          throw new TypeError("x is not a function");
        },
      },
    });
    await expect(measure(broken, runnerOf(broken, folder))).rejects.toThrow("x is not a function");
  });

  it("gives an arm its own budget, if it has one", async () => {
    const made = example({
      baselines: [arm("plain", () => ({ score: 0 }), { budget: { full: 50, quick: 2 } })],
    });
    const { blocks } = await measure(made, runnerOf(made, folder));
    expect([blocks[0].used.new[0], blocks[0].used.plain[0]]).toEqual([5, 50]);
  });

  it("uses the first point of the grid, development seeds and no tuning for a quick trial", async () => {
    const asked: Job[] = [];
    await measure(tunable, runnerOf(tunable, folder, asked), { quick: true });
    expect(asked.map((j) => [j.side, j.seed, j.settings.rate])).toEqual([
      [0, 0, 0.5],
      [1, 0, 0.5],
      [0, 1, 0.5],
      [1, 1, 0.5],
    ]);
  });

  it("runs arms that no claim names for five replicates, and the others for all", async () => {
    const ablations = [arm("without", (seed) => ({ score: noise(seed) + 1 }))];
    const quiet = example({ ablations });
    const found = await measure(quiet, runnerOf(quiet, folder));
    expect(found.blocks.map((b) => b.values.without.score.length)).toEqual([5, 5]);
    const loud = example({
      ablations,
      claims: [{ metric: "score", smallest: 1, because: "example", contrast: ["without", "plain"] }],
    });
    const all = await measure(loud, runnerOf(loud, folder));
    expect(all.blocks[0].values.without.score.length).toBe(all.plan.replicates);
  });
});
