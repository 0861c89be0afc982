import { angles } from "@reins/core/random";
import { expect, test } from "vitest";
import { makeSingle } from "../registry.ts";
import { walkerHeuristic } from "./players.ts";
import { withSameAngles } from "./same-angles.ts";

test("a module that captures Math's functions gets ours, and no other module is affected", () => {
  const theirs = [Math.sin, Math.cos, Math.atan2];
  const kept = withSameAngles(() => [Math.sin, Math.cos, Math.atan2]);
  expect([Math.sin, Math.cos, Math.atan2]).toEqual(theirs);
  expect(kept).toEqual([angles.sin, angles.cos, angles.atan2]);
});

test("no other module is affected where loading fails either", () => {
  const { sin } = Math;
  const load = () => {
    throw new Error("missing");
  };
  expect(() => withSameAngles(load)).toThrow("missing");
  expect(Math.sin).toBe(sin);
});

test("a hand-written walker reaches the end, by the same steps on every machine", () => {
  const env = makeSingle("BipedalWalker-v3");
  const act = walkerHeuristic();
  let seen = env.reset({ seed: 4 }).observation as Float32Array;
  for (let sum = 0; ; ) {
    const step = env.step(act(seen));
    seen = step.observation as Float32Array;
    sum += step.reward as number;
    if (step.terminated || step.truncated) return expect(sum).toBeCloseTo(314.52665424346924, 9);
  }
});
