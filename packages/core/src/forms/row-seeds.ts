import { fail } from "../errors.ts";
import { stream } from "../stream.ts";

/**
 * The seed of each copy of an environment. From one seed, the first copy gets the seed itself, so that a single row equals Gymnasium's
 * episode, and copy i gets `stream(seed, "row", i)`: adding rows does not change the others. A list has one seed per copy, as
 * Gymnasium's vector environments use `seed + i`. `id` names the environment in messages.
 */
export function rowSeeds(seed: number | readonly number[], copies: number, id: string): readonly number[] {
  const listed = typeof seed !== "number";
  if (listed && seed.length !== copies)
    fail(
      id,
      `reset() got ${seed.length} seeds for ${copies} copies. Pass one per copy, or one number for all.`,
    );
  for (const one of listed ? seed : [seed])
    if (!Number.isSafeInteger(one) || one < 0)
      fail(id, `reset() got the seed ${one}; it must be a whole number from 0.`);
  return listed
    ? seed
    : Array.from({ length: copies }, (_, copy) => (copy === 0 ? seed : stream(seed, "row", copy)));
}
