import { box, dict, discrete, type EnvSpec, multiBinary, multiDiscrete, tuple } from "@reins/core";
import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { countedStates, StateIndex } from "./state-index.ts";

const i32 = (values: number[], shape: number[]) => tensor(Int32Array.from(values), { shape, dtype: "i32" });

describe("a state's index", () => {
  it("counts as NumPy's ravel_multi_index, for any space", () => {
    const space = tuple(discrete(3, 10), dict({ a: multiDiscrete([2, 5]), b: multiBinary(2) }), discrete(1));
    const columns = [
      i32([12, 10], [2]),
      { a: i32([1, 4, 0, 3], [2, 2]), b: i32([1, 0, 0, 1], [2, 2]) },
      i32([0, 0], [2]),
    ];
    const index = new StateIndex(space, columns, 2);
    const out = new Int32Array(2);
    index.all(out);
    // ((((2 · 2 + 1) · 5 + 4) · 2 + 1) · 2 + 0), and ((((0 · 2 + 0) · 5 + 3) · 2 + 0) · 2 + 1).
    expect([...out]).toEqual([118, 13]);
    expect([index.one(0), index.one(1)]).toEqual([118, 13]);
    expect(countedStates("q", { id: "X-v0", observation: space, action: discrete(2) })).toBe(120);
  });

  it("rejects spaces that are not discrete", () => {
    const count = (spec: Partial<EnvSpec>) => () =>
      countedStates("q", { id: "X-v0", observation: discrete(4), action: discrete(2), ...spec });
    expect(count({ observation: tuple(discrete(2), box([1])) })).toThrow("which is not discrete");
    expect(count({ observation: multiBinary(40) })).toThrow("too many for a table. Use dqn.");
    expect(count({ rewards: ["time", "fuel"] })).toThrow("is a vector (time, fuel)");
    expect(count({ agents: { names: ["a", "b"], order: "turns" } })).toThrow(
      "X-v0 has 2 agents; q supports one.",
    );
  });
});
