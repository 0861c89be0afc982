import type { Arm } from "../recipe.ts";

/** An arm that stops some tokens earlier, so that a last batch of longer conversations stays within the budget. */
export const withReserve = (tokens: number, one: Arm): Arm => ({
  ...one,
  content: one.content === undefined ? undefined : [one.content, `${tokens} tokens less`],
  run: (trial) => one.run({ ...trial, budget: trial.budget - tokens }),
});
