import { make } from "reins/envs";
import { expect, it } from "vitest";
import { tasks } from "./tasks.ts";

it("names the threshold by which the environment itself counts as solved", () => {
  const { goal } = tasks.find(({ env }) => env === "CartPole-v1")!;
  expect(goal).toContain(`${make("CartPole-v1").spec.solvedAt} counts as solved`);
});
