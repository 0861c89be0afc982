import type { Side } from "../recipe.ts";

/** An arm that stops some tokens earlier, so that a last batch of longer conversations stays within the budget. */
export const within = (tokens: number, one: Side): Side => ({
  ...one,
  content: one.content === undefined ? undefined : [one.content, `${tokens} tokens less`],
  run: (trial) => one.run({ ...trial, budget: trial.budget - tokens }),
});
