import type { Episode } from "@reins/core";
import { characters, newModel } from "@reins/language";
import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { distill } from "../distill.ts";
import { finding, placeOf, rounds, runOf, stageOf } from "./testing.ts";
import { expectLearnsAndResumes } from "./testing-resume.ts";

/** A model that is sure of other tokens than the student. */
const teacher = newModel(
  {
    ...{ layers: 1, width: 16, heads: 2, context: 16, vocabulary: characters(finding.alphabet).size },
    ...{ style: "llama", deviation: 1 },
  },
  random.key(5),
);
const place = placeOf(stageOf({ teacher }));
const usual = { learningRate: 1e-2, batch: 32 };

describe("distill", () => {
  it.each([
    ["its own completions", { onPolicy: 1, divergence: "reverse-kl" }],
    ["reference answers", { onPolicy: 0, divergence: "forward-kl" }],
    ["both", { onPolicy: 0.5, divergence: "js", temperature: 2 }],
  ] as const)("comes close to the teacher on %s", async (_, options) => {
    const run = runOf(distill({ ...usual, ...options }), { env: place });
    await run.round();
    const start = run.metrics["loss/distillation"];
    await rounds(run, 80);
    expect(start).toBeGreaterThan(0.05);
    expect(run.metrics["loss/distillation"]).toBeLessThan(start / 5);
  });

  it("mixes completions of the student and reference answers", async () => {
    const run = await rounds(runOf(distill({ ...usual, onPolicy: 0.5 }), { env: place }), 1);
    const episodes = run.process.inspect!().episodes!.map(({ episode }): Episode => episode);
    const taught = episodes.filter((e) => e.role === "teacher").length;
    expect(episodes).toHaveLength(32);
    expect(taught).toBeGreaterThan(6);
    expect(taught).toBeLessThan(26);
  });

  it("counts the tokens of reference answers, so that a run of these alone ends", async () => {
    const run = await rounds(runOf(distill({ ...usual, onPolicy: 0 }), { env: place }), 1);
    // Two letters and the end token of each answer.
    expect(run.process.steps).toBe(32 * 3);
  });

  it("resumes exactly", () =>
    expectLearnsAndResumes(
      () => distill({ ...usual, onPolicy: 0.5, divergence: "js" }),
      () => ({ env: place }),
    ));

  it.each([
    [0, "forward-kl"],
    [1, "reverse-kl"],
  ])("refuses the mixture %d, with which nothing is learned", (mixture, instead) => {
    expect(() => runOf(distill({ ...usual, divergence: "js", mixture }), { env: place })).toThrow(
      `mixture is ${mixture}, so the js divergence is 0 for any student. Set divergence to ${instead}`,
    );
  });

  it("says what to do without a teacher", () => {
    expect(() => runOf(distill(usual))).toThrow("it needs a teacher. Pass its folder (--teacher");
  });
});
