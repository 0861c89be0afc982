import { expect, it } from "vitest";
import { pack } from "../batch.ts";
import type { JudgedEpisode } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { stepRewards } from "./step-rewards.ts";

const all = (...judged: JudgedEpisode[]) => [...stepRewards(pack(judged.map((j) => j.episode)), judged)];

it("puts the reward at the policy's last step, also if others wrote after it", () => {
  const first = played({ by: ["environment", "policy", "policy", "tool"], reward: 3 });
  const second = played({ by: ["policy", "tool", "policy"], reward: -1 });
  expect(all(first, second)).toEqual([0, 0, 3, 0, 0, 0, -1]);
});

it("uses the step rewards of a judge", () => {
  const placed = { ...played({ reward: 9 }), verdict: { reward: 9, steps: [4, 5] } };
  expect(all(placed, played({ reward: 1 }))).toEqual([4, 5, 0, 1]);
  const wrong = { ...played(), verdict: { reward: 9, steps: [4, 5, 6] } };
  expect(() => all(wrong)).toThrow("returned 3 step rewards for an episode of 2 steps");
});

it("an episode without own steps has its reward at step 0, which is not trained on", () => {
  expect(all(played({ by: ["teacher", "teacher"], reward: 1 }))).toEqual([1, 0]);
});
