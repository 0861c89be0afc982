import { expect, test } from "vitest";
import { makeSingle } from "../registry.ts";
import { walkerHeuristic } from "./players.ts";
import { withSameAngles } from "./same-angles.ts";

test("who keeps Math's functions keeps ours, and nobody else notices", () => {
  const theirs = [Math.sin, Math.cos, Math.atan2];
  const [sin, cos, atan2] = withSameAngles(
    () => [Math.sin, Math.cos, Math.atan2] as [typeof Math.sin, typeof Math.cos, typeof Math.atan2],
  );
  expect([Math.sin, Math.cos, Math.atan2]).toEqual(theirs);
  expect(sin).not.toBe(Math.sin);
  for (let i = -50; i <= 50; i++) {
    const angle = i * 0.1371;
    expect(sin(angle)).toBeCloseTo(Math.sin(angle), 15);
    expect(cos(angle)).toBeCloseTo(Math.cos(angle), 15);
    const [y, x] = [2 * Math.sin(angle), 2 * Math.cos(angle)];
    expect(atan2(y, x)).toBeCloseTo(Math.atan2(y, x), 14);
  }
  expect([atan2(0, 1), atan2(0, 0), atan2(1, 0)]).toEqual([0, 0, Math.PI / 2]);
});

test("nobody else notices where loading fails either", () => {
  const { sin } = Math;
  const load = () => {
    throw new Error("missing");
  };
  expect(() => withSameAngles(load)).toThrow("missing");
  expect(Math.sin).toBe(sin);
});

test("a hand-written walker reaches the end of a walk, by the same steps on every machine", () => {
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
