import { fail } from "../errors.ts";
import { stream } from "../stream.ts";

/**
 * The seed of each copy of an environment. From one seed, the first copy has the seed itself, so that one row alone is Gymnasium's
 * episode for it, and copy i the child `stream(seed, "row", i)`: adding rows changes no other. A list has the seed of each copy, as
 * Gymnasium's vectors do with `seed + i`. `id` is the environment in messages.
 */
export function rowSeeds(seed: number | readonly number[], copies: number, id: string): readonly number[] {
  const listed = typeof seed !== "number";
  if (listed && seed.length !== copies)
    fail(
      id,
      `reset() got ${seed.length} seeds for ${copies} copies. Give one for each copy, or one number for all.`,
    );
  for (const one of listed ? seed : [seed])
    if (!Number.isSafeInteger(one) || one < 0)
      fail(id, `reset() got the seed ${one}; it must be a whole number from 0.`);
  return listed
    ? seed
    : Array.from({ length: copies }, (_, copy) => (copy === 0 ? seed : stream(seed, "row", copy)));
}
