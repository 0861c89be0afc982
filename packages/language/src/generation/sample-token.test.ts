import { compile, random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { sampleToken } from "./sample-token.ts";

const sampled = compile((p: Tensor, chance: Tensor) => sampleToken(p, chance));

/** Probabilities of `size` tokens: every third is 0, and so are those after the last, likely one. */
function probabilities(size: number, seed: number): number[] {
  const raw = random.uniform(random.key(seed), [size]).toArray() as number[];
  const kept = raw.map((x, i) => (i % 3 === 1 || i > size - 100 ? 0 : x ** 4));
  kept[size - 100] = size / 100;
  const total = kept.reduce((a, b) => a + b, 0);
  return kept.map((x) => x / total);
}

describe.each([300, 4096, 4097, 9000])("sampling from %i tokens", (size) => {
  const p = probabilities(size, size);
  const ends: number[] = [];
  p.reduce((sum, x, i) => (ends[i] = sum + x), 0);

  it("chooses the token in whose interval the number is", () => {
    const chosen = p.flatMap((x, i) => (x > 0.2 / size ? [i] : [])).slice(-100);
    const rows = tensor(chosen.map(() => p));
    const middle = tensor(chosen.map((i) => ends[i] - p[i] / 2));
    expect(sampled(rows, middle).toArray()).toEqual(chosen);
  });

  it("never chooses a token of probability 0", () => {
    const chances = [
      0,
      2 ** -24,
      1 - 2 ** -24,
      ...ends.filter((_, i) => i % 499 === 0).map((x) => Math.min(x, 1 - 2 ** -24)),
    ];
    const found = sampled(tensor(chances.map(() => p)), tensor(chances)).toArray() as number[];
    for (const i of found) expect(p[i]).toBeGreaterThan(0);
    expect(found[0]).toBe(p.findIndex((x) => x > 0));
    expect(found[2]).toBe(size - 100);
  });
});
