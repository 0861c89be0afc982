import { describe, expect, it } from "vitest";
import * as s from "../space.ts";
import { check } from "./check.ts";
import { columns } from "./layout.ts";
import { maskSize } from "./mask.ts";
import { type RandomSource, sample } from "./sample.ts";
import { read, write } from "./write.ts";

/** A small generator (mulberry32), so that these tests depend on nothing else. */
function source(seed: number): RandomSource {
  let a = seed;
  const random = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { random, integers: (low, high) => low + Math.floor(random() * (high - low)) };
}

const spaces: s.Space[] = [
  s.discrete(5, -2),
  s.multiDiscrete([2, 7]),
  s.multiBinary(6),
  s.box([3], [-1, Number.NEGATIVE_INFINITY, 0.1], [1, 2, Number.POSITIVE_INFINITY]),
  s.box([]),
  s.box([2, 2], 0.1, 0.3),
  s.image(2, 2, 3),
  s.simplex(4),
  s.list(s.tuple(s.discrete(3), s.box([1])), 4),
  s.graph({ maxNodes: 4, maxEdges: 5, nodeFeatures: 2, edgeFeatures: 0 }),
  s.dict({ a: s.discrete(2), b: s.dict({ c: s.simplex(2) }) }),
];

describe("sample", () => {
  it.each(spaces.map((space) => [space.kind, space] as const))(
    "of a %s lies in it, also after a column",
    (_, space) => {
      const rng = source(1);
      const tree = columns(space, 1);
      for (let i = 0; i < 100; i++) {
        const value = sample(space, rng);
        expect(check(space, value)).toBeUndefined();
        write(space, tree, 0, value);
        expect(check(space, read(space, tree, 0))).toBeUndefined();
        expect(read(space, tree, 0)).toEqual(value);
      }
    },
  );

  it("makes text and content too", () => {
    const space = s.tuple(s.text(5), s.content([s.box([2])]));
    for (let i = 0; i < 20; i++) expect(check(space, sample(space, source(i)))).toBeUndefined();
  });

  it("reaches every choice, and only those that a mask allows", () => {
    const drawn = (space: s.Space, mask?: number[]) => {
      const rng = source(3);
      return new Set(Array.from({ length: 200 }, () => String(sample(space, rng, mask))));
    };
    expect(drawn(s.discrete(3, 1))).toEqual(new Set(["1", "2", "3"]));
    expect(drawn(s.discrete(4), [0, 1, 0, 1])).toEqual(new Set(["1", "3"]));
    expect(drawn(s.multiDiscrete([2, 3]), [0, 1, 1, 0, 1])).toEqual(new Set(["1,0", "1,2"]));
    expect(drawn(s.multiBinary(2), [1, 0, 1, 1])).toEqual(new Set(["0,0", "0,1"]));
  });

  it("samples unbounded dimensions like Gymnasium", () => {
    const rng = source(5);
    const mean = (space: s.Space) => {
      let sum = 0;
      for (let i = 0; i < 4000; i++) sum += (sample(space, rng) as Float32Array)[0];
      return sum / 4000;
    };
    expect(mean(s.box([1]))).toBeCloseTo(0, 1);
    expect(mean(s.box([1], 3))).toBeCloseTo(4, 1);
    expect(mean(s.box([1], Number.NEGATIVE_INFINITY, 3))).toBeCloseTo(2, 1);
    expect(mean(s.box([1], 3, 5))).toBeCloseTo(4, 1);
  });

  it("rejects masks that do not fit", () => {
    expect(() => sample(s.discrete(3), source(0), [1, 1])).toThrow(
      "the mask has 2 entries; Discrete(3) has 3.",
    );
    expect(() => sample(s.multiDiscrete([2, 2]), source(0), [1, 1, 0, 0])).toThrow(
      "none of the 2 choices starting at entry 2",
    );
    expect(maskSize(s.box([2]))).toBe(0);
  });
});
