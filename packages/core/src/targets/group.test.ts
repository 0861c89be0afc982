import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { Batch } from "../batch.ts";
import { greedyBaseline, lengthWeighted, whitened } from "./baselines.ts";
import { gae } from "./gae.ts";
import { groupRelative, spread } from "./group.ts";
import { leaveOneOut } from "./leave-one-out.ts";
import { rewardsToGo } from "./returns.ts";
import { expectClose, reference } from "./testing.ts";

interface PostTraining {
  groups: string[];
  lengths: number[];
  token_level_rewards: number[][];
  response_mask: number[][];
  greedy_rewards: number[];
  values: number[][];
  advantages: { estimator: string; advantages: number[][] }[];
}

it("agrees with verl: with and without the standard deviation, and leave-one-out", () => {
  const f = reference<PostTraining>("rl/post-training.json");
  const rewards = f.token_level_rewards.map((r) => r.reduce((a, b) => a + b, 0));
  const names = [...new Set(f.groups)];
  const groups = f.groups.map((g) => names.indexOf(g));
  const expected = (name: string) => {
    const found = f.advantages.find((a) => a.estimator === name);
    return found!.advantages.map((row) => row[0]);
  };
  expectClose(groupRelative(rewards, groups), expected("grpo norm by std"), 1e-4);
  expectClose(groupRelative(rewards, groups, { scale: "none" }), expected("grpo without std (Dr. GRPO)"));
  expectClose(leaveOneOut(rewards, groups), expected("rloo"));
});

it("agrees with verl: weighted by length, against greedy rollouts, whitened over tokens, with a critic", () => {
  const f = reference<PostTraining>("rl/post-training.json");
  const rewards = f.token_level_rewards.map((r) => r.reduce((a, b) => a + b, 0));
  const groups = f.groups.map((g) => [...new Set(f.groups)].indexOf(g));
  const counts = f.response_mask.flat();
  const expected = (name: string) => f.advantages.find((a) => a.estimator === name)!.advantages;
  const perToken = (values: ArrayLike<number>) =>
    f.response_mask.flatMap((row, e) => row.map((m) => m * values[e]));
  expectClose(perToken(lengthWeighted(rewards, groups, f.lengths)), expected("opo").flat(), 1e-4);
  expectClose(perToken(greedyBaseline(rewards, f.greedy_rewards)), expected("remax").flat(), 1e-4);
  const togo = f.token_level_rewards.map((row, e) =>
    row.map((_, t) => (t < f.lengths[e] ? row.slice(t).reduce((a, b) => a + b, 0) : 0)),
  );
  expectClose(whitened(togo.flat(), counts), expected("reinforce++ gamma=1").flat(), 1e-4);
  const compared = perToken(groupRelative(rewards, groups, { scale: "none" }));
  expectClose(whitened(compared, counts), expected("reinforce++ with group baseline").flat(), 1e-4);

  const turned = (rows: number[][]) => tensor(rows[0].map((_, t) => rows.map((row) => row[t])));
  const last = f.lengths.map((n) => f.values[0].map((_, t) => t === n - 1));
  const ends = tensor(f.values[0].map((_, t) => last.map((row) => row[t])));
  const { advantage } = gae({ gamma: 0.99, lambda: 0.95 })({
    reward: turned(f.token_level_rewards),
    value: turned(f.values),
    nextValue: turned(f.values.map((row) => [...row.slice(1), 0])),
    terminated: ends,
    done: ends,
  });
  const whole = f.response_mask.flatMap((row, e) =>
    row.map((_, t) => advantage.data[t * f.lengths.length + e]),
  );
  const name = "gae gamma=0.99 lambda=0.95 (whitened over mask)";
  const masked = expected(name).map((row, e) => row.map((x, t) => (t < f.lengths[e] ? x : 0)));
  expectClose(whitened(whole, counts), masked.flat(), 1e-4);
});

it("by hand, and 0 if a group has equal rewards or one member", () => {
  expectClose(groupRelative([1, 3, 5, 5, 7], [0, 0, 1, 1, 2], { scale: "none" }), [-1, 1, 0, 0, 0]);
  expectClose(groupRelative([1, 3], [0, 0]), [-1 / Math.SQRT2, 1 / Math.SQRT2]);
  expectClose(leaveOneOut([1, 2, 6], [0, 0, 0]), [-3, -1.5, 4.5]);
});

it("leave-one-out is the group mean baseline, scaled by n / (n - 1)", () => {
  const rewards = [0.3, -1, 2, 0.7];
  const groups = [0, 0, 0, 0];
  const plain = groupRelative(rewards, groups, { scale: "none" });
  expectClose(
    leaveOneOut(rewards, groups),
    Array.from(plain, (a) => (a * 4) / 3),
  );
});

const batch: Batch = {
  columns: { reward: tensor([1, 2, 3, 4, 5]) },
  index: { kind: "episodes", starts: [0, 2, 5], groups: [0, 0] },
};

it("one number per episode is repeated for each step", () => {
  expect([...spread([7, 9], batch)]).toEqual([7, 7, 9, 9, 9]);
});

it("rewards to go end with the episode", () => {
  expectClose(rewardsToGo(batch, 0.5), [2, 2, 3 + 2 + 1.25, 4 + 2.5, 5]);
  const parts = { ...batch, columns: { reward: tensor([1, 2, 3, 4, 5].map((r) => [r, 1])) } };
  expectClose(rewardsToGo(parts, 0), [2, 3, 4, 5, 6]);
});

it("a grid of steps is rejected", () => {
  const grid: Batch = { columns: {}, index: { kind: "grid", time: 2, rows: 2 } };
  expect(() => spread([1], grid)).toThrow("needs a batch of episodes, not of grid");
  expect(() => rewardsToGo(grid, 1)).toThrow("needs a batch of episodes, not of grid");
});
