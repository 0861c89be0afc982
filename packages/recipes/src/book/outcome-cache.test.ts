import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { SharedOutcomes } from "./outcome-cache.ts";
import { arm, example, score } from "./testing.ts";
import type { StoredOutcome } from "./trial.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-shared-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = fileURLToPath(import.meta.url);
const outcome: StoredOutcome = { values: { score: 3 }, early: [1], used: 5, seconds: 1, backend: "wasm" };
const job = { side: 1, seed: 100, settings: { rate: 1, size: 2 }, quick: false };
const of = (content: unknown, more = {}) =>
  new SharedOutcomes(
    folder,
    example({ baselines: [arm("plain", () => ({ score: 0 }), { content })], ...more }),
    here,
  );

describe("shared outcomes", () => {
  it("are found by content, settings, seed and budget, regardless of the recipe and the order", () => {
    of({ algorithm: "grpo", width: 32 }).add(job, outcome);
    const other = of({ algorithm: "grpo", width: 32 }, { id: "another" });
    expect(other.find({ ...job, settings: { size: 2, rate: 1 } })).toEqual(outcome);
    expect(other.find({ ...job, seed: 101 })).toBeUndefined();
    expect(other.find({ ...job, settings: { rate: 1, size: 3 } })).toBeUndefined();
    expect(of({ algorithm: "grpo", width: 64 }).find(job)).toBeUndefined();
    expect(
      of({ algorithm: "grpo", width: 32 }, { budget: { unit: "steps", full: 6, quick: 1 } }).find(job),
    ).toBeUndefined();
  });

  it("are not found if an arm has no content, the trial is quick, or another metric is needed", () => {
    const before = readdirSync(folder).length;
    of(undefined).add(job, outcome);
    of({ algorithm: "ppo" }).add({ ...job, quick: true }, outcome);
    expect(readdirSync(folder).length).toBe(before);
    const metrics = { score, tokens: { ...score, about: "tokens" } };
    expect(of({ algorithm: "grpo", width: 32 }, { metrics }).find(job)).toBeUndefined();
  });
});
