import { random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dataset } from "../dataset.ts";
import { Live } from "../signals/live.ts";
import { mixedExperience } from "./mixed-experience.ts";

const steps = (value: number) =>
  dataset({ columns: { x: tensor(new Float32Array(5).fill(value)) }, index: { kind: "steps", count: 5 } });

describe("mixedExperience", () => {
  it("takes from each part its share, which may change", () => {
    const share = new Live("share", 1);
    const both = mixedExperience([
      { of: steps(1), share },
      { of: steps(2), share: 3 },
    ]);
    const ones = (key: number) => {
      const { columns, index } = both.sample(8, random.key(key));
      expect(index).toEqual({ kind: "steps", count: 8 });
      return (columns.x as Tensor).data.filter((v) => v === 1).length;
    };
    expect(both.size).toBe(10);
    expect(ones(0)).toBe(2);
    share.set(0);
    expect(ones(1)).toBe(0);
    share.set(1.8); // 3 of 8, to within one entry.
    const counts = Array.from({ length: 60 }, (_, i) => ones(i));
    expect(counts.every((n) => n === 3 || n === 2 || n === 4)).toBe(true);
    expect(ones(7)).toBe(ones(7));
  });

  it("a share between two counts is met on average", () => {
    const both = mixedExperience([
      { of: steps(1), share: 0.3 },
      { of: steps(2), share: 0.7 },
    ]);
    let ones = 0;
    for (let i = 0; i < 300; i++)
      ones += (both.sample(2, random.key(i)).columns.x as Tensor).data.filter((v) => v === 1).length;
    expect(ones / 600).toBeCloseTo(0.3, 1);
  });
});
