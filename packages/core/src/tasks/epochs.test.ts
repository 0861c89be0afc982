import { describe, expect, it } from "vitest";
import { Statistics } from "../statistics.ts";
import { epochs, ofStage } from "./index.ts";

const statistics = new Statistics();
const seeds = (task: ReturnType<typeof epochs>, batches: number) =>
  Array.from({ length: batches }, () => task.next(statistics).map((p) => p.seed)).flat();

describe("epochs", () => {
  it("goes through all problems before any comes again, in another order each time", () => {
    const drawn = seeds(epochs({ seed: 1, problems: 10, groups: 4, groupSize: 2 }), 5);
    const [first, second] = [drawn.slice(0, 10), drawn.slice(10)];
    const all = Array.from({ length: 10 }, (_, i) => i);
    for (const epoch of [first, second]) expect([...epoch].sort((a, b) => a! - b!)).toEqual(all);
    expect(second).not.toEqual(first);
  });

  it("ends after the requested number, with a smaller last batch", () => {
    const task = epochs({ seed: 1, problems: 5, groups: 4, groupSize: 1, epochs: 2 });
    const sizes = [];
    while (!task.exhausted?.()) sizes.push(task.next(statistics).length);
    expect(sizes).toEqual([4, 4, 2]);
  });

  it("ends after a share of the list that is not whole problems", () => {
    const task = epochs({ seed: 1, problems: 5, groups: 2, groupSize: 1, epochs: 1.5 });
    expect(seeds(task, 4)).toHaveLength(8);
    expect(task.exhausted?.()).toBe(true);
  });

  it("resumes exactly", () => {
    const options = { seed: 3, problems: 7, groups: 3, groupSize: 1 };
    const [whole, begun, resumed] = [epochs(options), epochs(options), epochs({ ...options, seed: 9 })];
    const all = seeds(whole, 6);
    seeds(begun, 2);
    resumed.restore!(begun.save!());
    expect(seeds(resumed, 4)).toEqual(all.slice(6));
  });

  it("traverses listed problems; generated ones are unlimited", () => {
    const options = { seed: 1, groups: 3, groupSize: 1 };
    expect(ofStage({ problems: 2, epochs: 1 }, options).next(statistics)).toHaveLength(2);
    expect(ofStage({}, options).next(statistics)).toHaveLength(3);
    expect(() => epochs({ ...options, problems: 0 })).toThrow("Pass at least one");
  });
});
