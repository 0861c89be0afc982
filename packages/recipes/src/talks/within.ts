import type { Side } from "../recipe.ts";

/** A side that stops some tokens earlier, so that a last batch of longer conversations keeps to the budget: it never has more than others. */
export const within = (tokens: number, one: Side): Side => ({
  ...one,
  content: one.content === undefined ? undefined : [one.content, `${tokens} tokens less`],
  run: (trial) => one.run({ ...trial, budget: trial.budget - tokens }),
});
