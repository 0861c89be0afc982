import { compile, random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dataset } from "../dataset.ts";
import { LiveValue } from "../signals/live.ts";
import { draw } from "./minibatch.ts";
import { mixture } from "./mixture.ts";
import { prioritisedSampler } from "./priorities.ts";
import { replay } from "./replay.ts";
import { fill, testGrid } from "./testing.ts";

const demos = () =>
  dataset({
    observation: tensor([[100], [101]]),
    next: tensor([[101], [102]]),
    action: tensor(Int32Array.of(0, 1)),
    reward: tensor([1, 1]),
    discount: tensor([1, 1]),
  });

describe("mixture", () => {
  it("samples each part by its share, which may change", () => {
    const grid = testGrid(1);
    const share = new LiveValue("share", 0.25);
    const memory = mixture([
      { of: demos(), share },
      { of: replay({ capacity: 8 }), share: 0.75 },
    ])(grid, 8);
    const f = compile((c: typeof memory.columns, key: Tensor) => draw(memory, c, 8, key).columns as never);
    const old = (key: number) => {
      memory.prepare!();
      const { observation } = f(memory.columns as never, random.key(key)) as { observation: Tensor };
      return observation.data.filter((x) => x >= 100).length;
    };
    expect(old(0)).toBe(8); // The online part is still empty.
    for (let i = 0; i < 3; i++) memory.add(fill(grid, [{ at: i, reward: 0, next: i }]));
    expect(memory.size.data[0]).toBe(5);
    expect(old(1)).toBe(2);
    share.set(0.75);
    expect(old(2)).toBe(4);
    share.set(0);
    expect(old(3)).toBe(0);
  });

  it("a share between two counts is met on average", () => {
    const grid = testGrid(1);
    const memory = mixture([
      { of: demos(), share: 0.3 },
      { of: replay({ capacity: 8 }), share: 0.7 },
    ])(grid, 2);
    memory.add(fill(grid, [{ at: 0, reward: 0, next: 0 }]));
    const { index } = compile((k: Tensor) => memory.sample(2, k) as never)(random.key(0)) as unknown as {
      index: Tensor;
    };
    expect(index.shape).toEqual([2]);
    const f = compile((k: Tensor) => memory.sample(2, k).index);
    let first = 0;
    for (let i = 0; i < 500; i++) {
      memory.prepare!();
      first += f(random.key(i)).data.filter((x) => x < 2).length;
    }
    expect(first / 1000).toBeCloseTo(0.3, 1);
  });

  it("passes errors to the parts whose entries were used", () => {
    const grid = testGrid(1);
    const memory = mixture([
      { of: demos(), share: 1 },
      { of: replay({ capacity: 8, choose: prioritisedSampler({ alpha: 1, beta: 1, floor: 0 }) }), share: 1 },
    ])(grid, 8);
    for (let i = 0; i < 2; i++) memory.add(fill(grid, [{ at: i, reward: 0, next: i }]));
    const f = compile((k: Tensor) => memory.sample(8, k) as never);
    memory.prepare!();
    const { index, weight } = f(random.key(0)) as unknown as { index: Tensor; weight: Tensor };
    expect([...weight.data.slice(0, 4)]).toEqual([1, 1, 1, 1]);
    const errors = tensor(Array.from(index.data, (x) => (x === 2 ? 1 : 9)));
    memory.updatePriorities!(errors);
    let second = 0;
    for (let i = 0; i < 200; i++) {
      memory.prepare!();
      second += (f(random.key(i)) as unknown as { index: Tensor }).index.data.filter((x) => x === 3).length;
    }
    expect(second / 800).toBeGreaterThan(0.8);
  });

  it("rejects parts with different columns", () => {
    const other = dataset({ observation: tensor([[1]]) });
    expect(() =>
      mixture([
        { of: demos(), share: 1 },
        { of: other, share: 1 },
      ])(testGrid(1), 2),
    ).toThrow("different columns");
  });
});
