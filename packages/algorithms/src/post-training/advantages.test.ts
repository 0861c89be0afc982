import type { JudgedEpisode } from "@reins/core";
import { makers, pack } from "@reins/core/episodes";
import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { advantages, stepAdvantages } from "./advantages.ts";
import type { Settings } from "./options.ts";
import { expectNear } from "./testing.ts";

/** A sample of a group with this many policy steps; a greedy one is the environment's. */
function play(group: string, reward: number, steps: number, greedy = false): JudgedEpisode {
  const by = makers.indexOf(greedy ? "environment" : "policy");
  return {
    episode: {
      columns: { by: tensor(new Uint8Array(steps).fill(by), { dtype: "u8" }) },
      segments: [{ from: 0, to: steps }],
      terminated: true,
      truncated: false,
      return: [],
      group,
      ...(greedy ? { role: "greedy" as const } : {}),
    },
    verdict: { reward },
    reward,
  };
}
const of = (baseline: Settings["baseline"], scale: Settings["scale"], judged: readonly JudgedEpisode[]) => [
  ...advantages(
    { baseline, scale },
    pack(judged.map((j) => j.episode)),
    Float64Array.from(judged, (j) => j.reward),
    judged,
  ),
];

// Two groups: rewards 1, 0, 2 and 4, 8; steps 1, 2, 1 and 3, 1.
const two = [play("a", 1, 1), play("a", 0, 2), play("b", 4, 3), play("a", 2, 1), play("b", 8, 1)];
const std = { a: 1 + 1e-6, b: Math.sqrt(8) + 1e-6 };

describe("advantages of two groups", () => {
  it.each([
    ["mean", [0, -1, -2, 1, 2]],
    ["others", [0, -1.5, -4, 1.5, 4]],
    // The means by length are (1 + 0 + 2) / 4 and (12 + 8) / 4.
    ["length", [0.25, -0.75, -1, 1.25, 3]],
    ["batch", [-2, -3, 1, -1, 5]],
    ["none", [1, 0, 4, 2, 8]],
  ] as [Settings["baseline"], number[]][])("baseline: %s", (baseline, plain) => {
    expectNear(of(baseline, "none", two), plain);
    const [a, b] = [std.a, std.b];
    const scaled = plain.map((x, i) => x / [a, a, b, a, b][i]);
    expectNear(of(baseline, "std", two), scaled);
    // Over the batch: mean 0 and standard deviation 1, for any baseline.
    const mean = plain.reduce((s, x) => s + x, 0) / 5;
    const deviation = Math.sqrt(plain.reduce((s, x) => s + (x - mean) ** 2, 0) / 4);
    const white = plain.map((x) => (x - mean) / deviation);
    expectNear(of(baseline, "batch", two), white);
  });

  it("baseline: greedy", () => {
    const judged = [...two, play("a", 0.5, 2, true), play("b", 5, 2, true)];
    const plain = [0.5, -0.5, -1, 1.5, 3];
    expectNear(of("greedy", "none", judged), [...plain, 0, 0]);
    // The greedy rollout is excluded from the standard deviation of its group and of the batch.
    const [a, b] = [std.a, std.b];
    expectNear(of("greedy", "std", judged).slice(0, 5), [0.5 / a, -0.5 / a, -1 / b, 1.5 / a, 3 / b]);
    const deviation = Math.sqrt(plain.reduce((s, x) => s + (x - 0.7) ** 2, 0) / 4);
    expectNear(of("greedy", "batch", judged), [...plain.map((x) => (x - 0.7) / deviation), 0, 0]);
  });

  it("a group with equal rewards or one member is not divided by its standard deviation", () => {
    const judged = [play("a", 2, 1), play("a", 2, 1), play("b", 3, 1)];
    expect(of("none", "std", judged)).toEqual([2, 2, 3]);
    expect(of("mean", "std", judged)).toEqual([0, 0, 0]);
    expect(of("others", "std", judged)).toEqual([0, 0, 0]);
    expect(of("length", "std", judged)).toEqual([0, 0, 0]);
  });
});

describe("advantages of turns", () => {
  const stepsOf = (
    judged: readonly JudgedEpisode[],
    credit: "episode" | "turn",
    baseline: Settings["baseline"] = "mean",
  ) => [
    ...stepAdvantages(
      { baseline, scale: "none", credit, turnDiscount: { value: 0.5 } as Settings["turnDiscount"] },
      pack(judged.map((j) => j.episode)),
      Float64Array.from(judged, (j) => j.reward),
      judged,
    ),
  ];
  const turned = (group: string, turns: readonly number[], steps: readonly number[]): JudgedEpisode => {
    const plain = play(
      group,
      steps.reduce((a, b) => a + b, 0),
      turns.length,
    );
    const turn = tensor(Int32Array.from(turns), { dtype: "i32" });
    const episode = { ...plain.episode, columns: { ...plain.episode.columns, turn } };
    return { ...plain, episode, verdict: { ...plain.verdict, steps } };
  };

  it("equal those of completions with one turn", () => {
    for (const baseline of ["mean", "others", "batch", "none"] as const)
      expectNear(stepsOf(two, "turn", baseline), stepsOf(two, "episode", baseline));
  });

  it("separate the rewarded turn from the other", () => {
    // Both begin alike; then one is right and the other is not. A third group has one sample.
    const judged = [
      turned("a", [1, 0, 2], [1, 0, 4]),
      turned("a", [1, 0, 2], [1, 0, 0]),
      turned("b", [1, 2, 2], [0, 0, 9]),
    ];
    // From turn 1 on: 1 + 4 / 2 and 1; from turn 2 on: 4 and 0.
    expectNear(stepsOf(judged, "turn"), [1, 0, 2, -1, 0, -2, 0, 0, 0]);
    expectNear(stepsOf(judged, "episode"), [2, 2, 2, -2, -2, -2, 0, 0, 0]);
  });
});
