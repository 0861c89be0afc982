import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultRng, type Generator } from "./generator.ts";
import type { Seed } from "./seed-sequence.ts";
import { checksum } from "./testing-checksum.ts";

function times<T>(count: number, draw: () => T): T[] {
  return Array.from({ length: count }, draw);
}

// The subjects of the checksums below, in order.
const streams: ((rng: Generator) => Iterable<number>)[] = [
  (rng) => times(5000, () => rng.random()),
  (rng) => times(5000, () => rng.uniform(-0.05, 0.05)),
  (rng) => times(5000, () => rng.integers(0, 1000)),
  (rng) => times(5000, () => rng.integers(-(2 ** 49), 2 ** 50)),
  (rng) => times(5000, () => rng.normal(3, 2)),
  (rng) => times(5000, () => rng.exponential(2.5)),
  (rng) => times(5000, () => rng.choice(4, [0.1, 0.2, 0.3, 0.4])),
  (rng) => rng.permutation(5000),
  (rng) => times(1000, () => mixed(rng)).flat(),
];

function mixed(rng: Generator): number[] {
  return [rng.integers(0, 10), rng.random(), rng.standardNormal(), rng.integers(2 ** 40), rng.choice(5)];
}

// From NumPy 2.4.6.
const sums: [Seed, number[]][] = [
  [
    0,
    [921761853, 1498055857, 1283853722, 3269083753, 3495998445, 726334533, 20005428, 788814817, 2078219596],
  ],
  [
    1,
    [
      1839864686, 1385718101, 1713866108, 3366956934, 2907745525, 320088863, 2216877737, 1234016003,
      1780374715,
    ],
  ],
  [
    42,
    [
      2407194652, 355814486, 3377038623, 1078858807, 3862137722, 1558481940, 1613350872, 3411940424,
      398247832,
    ],
  ],
  [
    100,
    [959432176, 2365094509, 2140949470, 3999805390, 951910727, 527691440, 1655392363, 348207376, 4238009934],
  ],
  [
    2 ** 31,
    [
      1762583181, 1647892123, 1986442387, 1368367695, 979987515, 2453035327, 2420076689, 1735401468,
      1263807142,
    ],
  ],
  [
    2n ** 63n,
    [
      1065752678, 2873096823, 3399835911, 3359063478, 1200042430, 3288770285, 2244824174, 1511571229,
      2810345520,
    ],
  ],
  [
    [1, 2, 3],
    [3161072497, 118803740, 3549097816, 130076011, 635867809, 1678012077, 820206292, 384799824, 3017121774],
  ],
];

describe("Generator samples as NumPy does", () => {
  it.each(sums)("thousands of numbers from seed %s", (seed, expected) => {
    const seen = streams.map((stream) => checksum(Float64Array.from(stream(defaultRng(seed)))));
    expect(seen).toEqual(expected);
  });

  it("the numbers recorded beside Gymnasium's trajectories", () => {
    const file = new URL("../../../../fixtures/gymnasium/trajectories.json", import.meta.url);
    const recorded = JSON.parse(readFileSync(file, "utf8")).numpy_default_rng_42;
    const rng = defaultRng(42);
    expect(times(8, () => rng.random())).toEqual(recorded.random);
    expect(times(8, () => rng.integers(0, 1000))).toEqual(recorded.integers_0_1000);
    expect(times(4, () => rng.uniform(-0.05, 0.05))).toEqual(recorded["uniform_-0.05_0.05"]);
    expect(times(8, () => rng.standardNormal())).toEqual(recorded.standard_normal);
    expect([...rng.permutation(10)]).toEqual(recorded.permutation_10);
  });

  it("normal numbers, also from the tail", () => {
    const drawn = defaultRng(42).fillNormal(new Float64Array(12000));
    expect([...drawn.subarray(0, 3)]).toEqual([0.30471707975443135, -1.0399841062404955, 0.7504511958064572]);
    expect([drawn[5627], drawn[8091], drawn[11589]]).toEqual([
      -4.389114584864837, 4.0258240427272645, 4.151241397039601,
    ]);
  });

  it("exponential numbers, also from the tail", () => {
    const rng = defaultRng(42);
    const drawn = times(6000, () => rng.exponential());
    expect([drawn[2104], drawn[3250], drawn[5081]]).toEqual([
      9.518119700398211, 7.734098596181432, 8.371243539011614,
    ]);
    expect(defaultRng(42).exponential(2.5)).toBe(6.0105215099149865);
  });

  it("integers of few and many bits", () => {
    const draw = (count: number, low: number, high: number) => {
      const rng = defaultRng(42);
      return times(count, () => rng.integers(low, high));
    };
    expect(draw(12, -3, 4)).toEqual([-3, 2, 1, 0, 0, 3, -3, 1, -2, -3, 0, 3]);
    expect(draw(3, 0, 2 ** 32)).toEqual([383329928, 3324115917, 2811363265]);
    expect(draw(3, 0, 2 ** 40)).toEqual([850973674774, 482551947687, 944038396526]);
    expect(draw(3, -(2 ** 52), 2 ** 52)).toEqual([2467576716385060, -550534071913921, 3229962916977474]);
  });

  it("choices and orders", () => {
    const rng = defaultRng(42);
    expect([...rng.permutation(10)]).toEqual([5, 6, 0, 7, 3, 2, 4, 9, 1, 8]);
    expect(rng.permutation(["a", "b", "c", "d"])).toEqual(["c", "d", "a", "b"]);
    const items = [0, 1, 2, 3, 4, 5, 6, 7];
    rng.shuffle(items);
    expect(items).toEqual([4, 0, 2, 7, 5, 1, 6, 3]);
    const compass = defaultRng(42);
    expect(times(8, () => compass.choice(["n", "e", "s", "w"])).join("")).toBe("nwseewns");
  });

  it("children", () => {
    const rng = defaultRng(42);
    expect(rng.spawn(2).map((child) => child.random())).toEqual([0.9167441575549085, 0.4674907799518424]);
    expect(rng.random()).toBe(0.7739560485559633);
  });
});
