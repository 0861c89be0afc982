import type { Tensor } from "@reins/tensor";
import { fail } from "./errors.ts";
import { threefry } from "./threefry.ts";

/** The default seed. */
export const defaultSeed = 0;

/**
 * Derives a child seed for a named random stream, with an index if there are several. Use it instead of the seed itself or a
 * number near it, so that no two streams of a run are equal, and none equals a stream of a run with a
 * neighbouring seed. The same seed, name and index give the same child everywhere.
 *
 *     env.reset({ seed: stream(seed, "environments") });
 *     const key = random.key(stream(seed, "policy"));
 *
 * The seed is the key of Threefry, which encrypts the name, four characters (of 16 bits) at a time, each result being the next key; the
 * index and the name's length come last. 53 bits of the result are kept: an integer that generators and keys accept directly.
 */
export function stream(seed: number, name: string, index = 0): number {
  requireWhole("seed", seed);
  requireWhole("index", index);
  const { length } = name;
  if (length === 0 || length > longestName)
    fail("stream", `the name has ${length} characters; it must have 1 to ${longestName}.`);
  const words: [number, number] = [high(seed), seed >>> 0];
  for (let at = 0; at < length; at += 4) threefry(words, pair(name, at), pair(name, at + 2));
  threefry(words, ((length << 21) | high(index)) >>> 0, index >>> 0);
  return (words[0] >>> 11) * 2 ** 32 + words[1];
}

/** A seed from 53 bits of a tensor key, for random numbers on the host; for `random.key(seed)` it is the seed. */
export function seedOf(key: Tensor): number {
  const [a, b] = key.data;
  return (a & 0x1fffff) * 2 ** 32 + (b >>> 0);
}

/** The length shares a word with the 21 high bits of the index. */
const longestName = 2047;

/** The bits of a safe integer above the lowest 32. */
function high(whole: number): number {
  return Math.floor(whole / 2 ** 32);
}

/** Two characters as a number, the first the lower; NaN beyond the end counts as 0. */
function pair(name: string, at: number): number {
  return (name.charCodeAt(at) | (name.charCodeAt(at + 1) << 16)) >>> 0;
}

function requireWhole(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    fail("stream", `the ${what} is ${value}; it must be a whole number from 0.`);
}
