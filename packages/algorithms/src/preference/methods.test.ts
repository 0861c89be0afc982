import { type AlgorithmMaker, type OptionTable, Run, text } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { beforeAll, describe, expect, it } from "vitest";
import { rounds, weightsOf } from "../post-training/testing.ts";
import { dpo } from "./dpo.ts";
import { preferenceMethods } from "./table.ts";
import { comparingStage, imitate, runOf } from "./testing.ts";

setBackend("wasm");
beforeAll(imitate);

const methods = Object.entries(preferenceMethods) as unknown as [string, AlgorithmMaker<OptionTable>][];

/** Mean utility of sampled completions. */
const scoreOf = async (run: Run) =>
  (await comparingStage().evaluate(run.process.acting!.weights, { episodes: 200, greedy: false })).mean;

/** It lowers chosen completions too, so it needs smaller steps and a larger penalty to stay near texts. */
const settings: { readonly [name: string]: object } = { "apo-down": { learningRate: 5e-4, beta: 2 } };

describe.each(methods)("%s", (name, maker) => {
  it("raises the utility of what the model writes", async () => {
    const run = runOf(maker, settings[name]);
    const before = await scoreOf(await rounds(run, 0));
    await rounds(run, 25);
    expect(await scoreOf(run)).toBeGreaterThan(before + 0.05);
    expect(Object.values(run.metrics).every((x) => Number.isFinite(x) || Number.isNaN(x))).toBe(true);
    expect(run.metrics["loss/preference"]).toBeCloseTo(run.metrics["loss/total"], 4);
  });

  it("stops and resumes without a difference, and repeats with its seed", async () => {
    const whole = await rounds(runOf(maker), 4);
    const first = await rounds(runOf(maker), 2);
    const second = runOf(maker);
    second.restore(first.save());
    await rounds(second, 2);
    expect(weightsOf(second)).toEqual(weightsOf(whole));
    expect({ ...second.metrics }).toEqual({ ...whole.metrics });
  });
});

describe("preference methods", () => {
  it("have the same gradient in parts", async () => {
    for (const maker of [dpo, preferenceMethods.orpo] as unknown as AlgorithmMaker<OptionTable>[]) {
      const [whole, parts] = [runOf(maker), runOf(maker, { accumulate: 4 })];
      await rounds(whole, 1);
      await rounds(parts, 1);
      expect(parts.metrics["gradient/norm"]).toBeCloseTo(whole.metrics["gradient/norm"], 4);
      for (const name of ["loss/total", "preference/accuracy", "preference/margin"])
        expect(parts.metrics[name], name).toBeCloseTo(whole.metrics[name], 5);
    }
  });

  it("learn in parts also from a last batch of fewer pairs than parts", async () => {
    for (const maker of [dpo, preferenceMethods.orpo] as unknown as AlgorithmMaker<OptionTable>[]) {
      // Batches of 8 and 3 problems.
      const [whole, parts] = [1, 8].map((accumulate) => runOf(maker, { accumulate }, { listed: 11 }));
      await rounds(whole, 2);
      await rounds(parts, 2);
      for (const name of ["gradient/norm", "loss/total", "preference/accuracy", "preference/margin"])
        expect(parts.metrics[name], name).toBeCloseTo(whole.metrics[name], 4);
    }
  });

  it("begin with no margin, and keep their reference", async () => {
    const run = runOf(dpo as unknown as AlgorithmMaker<OptionTable>);
    await rounds(run, 1);
    // The policy is the reference: every margin is 0, and the loss log 2.
    expect(run.metrics["preference/margin"]).toBeCloseTo(0, 6);
    expect(run.metrics["loss/preference"]).toBeCloseTo(Math.LN2, 6);
    await rounds(run, 10);
    expect(run.metrics["preference/margin"]).toBeGreaterThan(0);
  });

  it("refuse places without comparisons, and gradient accumulation where pairs are compared with others", async () => {
    const { comparisons: _, ...stage } = comparingStage();
    const env = { spec: { id: "plain", observation: text(4), action: text(6) }, stage };
    expect(() => new Run({ algorithm: dpo(), env, steps: 10 })).toThrow(
      "plain has no compared completions, from which dpo learns. Use a file whose lines have prompt, chosen and rejected.",
    );
    const aot = preferenceMethods.aot as unknown as AlgorithmMaker<OptionTable>;
    expect(() => runOf(aot, { accumulate: 2 })).toThrow(
      "the loss compares all pairs of a batch. Set it to 1",
    );
    const plain = dpo as unknown as AlgorithmMaker<OptionTable>;
    expect(() => runOf(plain, { accumulate: 16 })).toThrow("accumulate is 16 for a batch of 8");
  });

  it("learn the same from precomputed reference log-probabilities, and resume", async () => {
    const maker = dpo as unknown as AlgorithmMaker<OptionTable>;
    const listed = (precompute: boolean) => runOf(maker, { precompute }, { listed: 12 });
    const [at, once] = [listed(false), listed(true)];
    await rounds(at, 6);
    await rounds(once, 3);
    const saved = once.save();
    await rounds(once, 3);
    expect(once.metrics["loss/preference"]).toBeCloseTo(at.metrics["loss/preference"], 5);
    expect(once.metrics["preference/margin"]).toBeCloseTo(at.metrics["preference/margin"], 4);
    const resumed = listed(true);
    resumed.restore(saved);
    await rounds(resumed, 3);
    expect(weightsOf(resumed)).toEqual(weightsOf(once));
    expect(() => runOf(maker, { precompute: true })).toThrow("precompute is for a list of pairs");
  });

  it("rank more than two completions", async () => {
    for (const name of ["lipo", "rrhf"] as const) {
      const maker = preferenceMethods[name] as unknown as AlgorithmMaker<OptionTable>;
      const run = runOf(maker, {}, { candidates: 4 });
      const before = await scoreOf(await rounds(run, 0));
      await rounds(run, 30);
      expect(await scoreOf(run), name).toBeGreaterThan(before + 0.06);
    }
  });
});
