import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bestOf, pointsOf } from "../grid.ts";
import { Diverged } from "../outcome.ts";
import { recipe } from "../recipe.ts";
import { measure } from "./protocol.ts";
import { type Job, runTrial } from "./trial.ts";
import { keep } from "./warm.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Noise that belongs to the seed, the same for both sides. */
const noise = (seed: number) => 10 * Math.sin(seed * 12.9898);
const asked: Job[] = [];
const example = recipe({
  id: "example",
  paper: "An example",
  about: "The system is better by 3 at its best setting.",
  baseline: {
    name: "plain",
    run: ({ seed, settings: { rate } }) => ({ value: noise(seed) - (rate - 2) ** 2, early: [1], used: 5 }),
  },
  system: {
    name: "new",
    run: ({ seed, settings: { rate } }) => ({
      value: noise(seed) + 3 - (rate - 4) ** 2,
      early: [2],
      used: 5,
    }),
  },
  metric: { name: "score", better: "higher", worst: -1000 },
  claim: { kind: "difference", smallest: 1 },
  grid: { rate: [1, 2, 4] },
  budget: { unit: "steps", full: 5, quick: 1 },
  deviations: ["It is made up."],
});
const run = async (jobs: readonly Job[]) => {
  asked.push(...jobs);
  return Promise.all(jobs.map((job) => runTrial(example, job, folder)));
};

describe("the protocol", () => {
  it("tunes both sides on the same grid below seed 100 and compares them from 100 on", async () => {
    asked.length = 0;
    const { judgement, sides, tuning, used } = await measure(example, run);
    expect(judgement).toMatchObject({ verdict: "shown", estimate: expect.closeTo(3, 10) });
    expect(sides.map((s) => s.settings)).toEqual([{ rate: 2 }, { rate: 4 }]);
    expect(tuning.map((t) => t.points.length)).toEqual([3, 3]);
    const tuned = asked.filter((j) => j.seed < 100);
    expect(tuned.length).toBe(2 * 3 * 3);
    const evaluated = asked.slice(tuned.length);
    expect(evaluated.map((j) => j.seed)).toEqual(
      Array.from({ length: 20 }, (_, i) => 100 + Math.floor(i / 2)),
    );
    expect(used).toBe(100);
  });

  it("refuses tuning seeds for an evaluation, and too few seeds in a recipe", async () => {
    await expect(measure(example, run, { firstSeed: 50 })).rejects.toThrow("seed 50 is for tuning");
    expect(() => recipe({ ...example, seeds: 3 })).toThrow("at least 10");
    expect(() => recipe({ ...example, deviations: [] })).toThrow("what here stands for what");
    expect(() => recipe({ ...example, grid: { rate: [] } })).toThrow("no value for rate");
  });

  it("counts runs that diverge or end in NaN as the worst there is, and says so", async () => {
    const failing = recipe({
      ...example,
      grid: {},
      system: {
        name: "new",
        run({ seed }) {
          if (seed === 103) throw new Diverged("diverged");
          return { value: seed === 104 ? Number.NaN : 0, early: [], used: 1 };
        },
      },
    });
    const all = (jobs: readonly Job[]) => Promise.all(jobs.map((job) => runTrial(failing, job, folder)));
    const { sides } = await measure(failing, all);
    expect(sides[1].values.slice(3, 6)).toEqual([-1000, -1000, 0]);
    expect(sides[1].failed).toEqual({ 103: "diverged", 104: "the value was NaN" });
    // A quick trial is there to see what happens.
    await expect(
      runTrial(failing, { side: 1, seed: 103, settings: {}, quick: true }, folder),
    ).rejects.toThrow("diverged");
  });

  it("ends where something goes wrong that is no divergence", async () => {
    const trial = (value: number, used = 5, better: "higher" | "lower" = "higher") =>
      runTrial(
        recipe({
          ...example,
          metric: { ...example.metric, better },
          system: { name: "new", run: () => ({ value, early: [], used }) },
        }),
        { side: 1, seed: 100, settings: { rate: 1 }, quick: false },
        folder,
      );
    expect(await trial(-1000)).toMatchObject({ value: -1000 });
    await expect(trial(-1001)).rejects.toThrow("score was -1001, worse than metric.worst, -1000");
    await expect(trial(1, 5, "lower")).rejects.toThrow("worse than metric.worst");
    expect(await trial(1, 5.2)).toMatchObject({ used: 5.2 });
    await expect(trial(1, 6)).rejects.toThrow("example, new, seed 100: it used 6 steps of 5");
    const broken = recipe({
      ...example,
      system: {
        name: "new",
        run: () => {
          throw new TypeError("x is not a function");
        },
      },
    });
    const jobs = (all: readonly Job[]) => Promise.all(all.map((job) => runTrial(broken, job, folder)));
    await expect(measure(broken, jobs)).rejects.toThrow("x is not a function");
  });

  it("takes the first point of the grid and no tuning for a quick trial", async () => {
    asked.length = 0;
    await measure(example, run, { quick: true });
    expect(asked.map((j) => [j.side, j.seed, j.settings.rate])).toEqual([
      [0, 100, 1],
      [1, 100, 1],
      [0, 101, 1],
      [1, 101, 1],
    ]);
  });
});

describe("grids", () => {
  it("are all combinations; the best mean wins, the first of equals", () => {
    expect(pointsOf({ a: [1, 2], b: ["x", "y"] }).length).toBe(4);
    expect(pointsOf({})).toEqual([{}]);
    const values = [
      [1, 5],
      [3, 3],
      [0, 0],
    ];
    expect(bestOf(values, example.metric)).toBe(0);
    expect(bestOf(values, { ...example.metric, better: "lower" })).toBe(2);
  });
});

describe("warm starts", () => {
  it("are made once for all who ask, and again for other inputs", async () => {
    let made = 0;
    const start = (inputs: unknown) => ({
      name: "numbers",
      module: import.meta.url,
      inputs,
      async make() {
        made++;
        await new Promise((done) => setTimeout(done, 50));
        return new TextEncoder().encode(JSON.stringify(inputs));
      },
      read: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    });
    const cache = join(folder, "warm");
    const both = await Promise.all([keep(start([1]), cache), keep(start([1]), cache)]);
    expect(both).toEqual([[1], [1]]);
    expect(made).toBe(1);
    expect(await keep(start([2]), cache)).toEqual([2]);
    expect(made).toBe(2);
  });

  it("are made again when damaged, and removed when nobody used them for months", async () => {
    const cache = join(folder, "damaged");
    const start = (inputs: unknown) => ({
      name: "numbers",
      module: import.meta.url,
      inputs,
      make: () => new TextEncoder().encode(`${inputs}`),
      read: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
    });
    expect(await keep(start(1), cache)).toBe("1");
    const [name] = readdirSync(cache);
    const path = join(cache, name);
    const whole = readFileSync(path);
    for (const damaged of [
      whole.map((b, i) => (i === whole.length - 1 ? b ^ 3 : b)),
      whole.subarray(0, 20),
    ]) {
      writeFileSync(path, damaged);
      expect(await keep(start(1), cache)).toBe("1");
    }
    utimesSync(path, 0, 0);
    expect(await keep(start(2), cache)).toBe("2");
    expect(readdirSync(cache)).not.toContain(name);
  });
});
