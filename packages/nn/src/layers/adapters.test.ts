import {
  add,
  cast,
  grad,
  iota,
  ones,
  random,
  reshape,
  scalar,
  sum,
  type Tensor,
  tensor,
  zeros,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type AdapterParams, mergeAdapters } from "./adapters.ts";
import { linear, project } from "./linear.ts";

const rows = (values: number[][]) => tensor(values);
const x = rows([[1, 2]]);
const weight = rows([
  [1, 0, 2, 0],
  [0, 1, 0, 2],
]);
// Columns 0 and 3 of four, with rank 1 each.
const adapters = {
  0: { down: rows([[2], [1]]), up: rows([[3]]) },
  3: { down: rows([[0], [5]]), up: rows([[-1]]) },
};

describe("adapters of a fused weight", () => {
  it("update only their own columns", () => {
    // x·weight is [1, 2, 2, 4]; the adapters add (2 + 2)·3 to the first and 10·(-1) to the last.
    expect([...project({ weight, adapters }, x).data]).toEqual([13, 2, 2, -6]);
    expect([...project({ weight, bias: tensor([1, 1, 1, 1]), adapters }, x).data]).toEqual([14, 3, 3, -5]);
    expect([...mergeAdapters(weight, adapters).data]).toEqual([7, 0, 2, 0, 3, 1, 0, -3]);
  });

  it("may update all columns, or those in between", () => {
    const all = { 0: { down: rows([[1], [0]]), up: rows([[1, 2, 3, 4]]) } };
    expect([...project({ weight, adapters: all }, x).data]).toEqual([2, 4, 5, 8]);
    const inner = { 1: { down: rows([[1], [0]]), up: rows([[1, 2]]) } };
    expect([...project({ weight, adapters: inner }, x).data]).toEqual([1, 3, 4, 4]);
  });

  it("have the gradient of their own columns", () => {
    const own = (params: { [column: string]: AdapterParams }): Tensor =>
      sum(project({ weight, adapters: params }, x).mul(tensor([[1, 10, 100, 1000]])));
    const found = grad(own)(adapters);
    // d/d down is xᵀ·(g·upᵀ), d/d up is (x·down)ᵀ·g, with g the factors above.
    expect([...found[0].down.data, ...found[0].up.data]).toEqual([3, 6, 4]);
    expect([...found[3].down.data, ...found[3].up.data]).toEqual([-1000, -2000, 10_000]);
  });

  it("drop inputs by their key, and only their own", () => {
    const size = 2000;
    const inputs = reshape(cast(add(iota([size]), 1), "f32"), [size, 1]);
    const one = (seed: number) => ({
      ...{ down: ones([1, 1]), up: ones([1, 1]) },
      dropout: { key: random.key(seed), keep: scalar(0.75) },
    });
    const found = (seed: number) => [
      ...project({ weight: zeros([1, 1]), adapters: { 0: one(seed) } }, inputs).data,
    ];
    const kept = found(1).filter((y) => y !== 0).length / size;
    expect(Math.abs(kept - 0.75)).toBeLessThan(0.05);
    found(1).forEach((y, i) => expect(y === 0 || Math.abs(y / ((i + 1) / 0.75) - 1) < 1e-6).toBe(true));
    expect(found(1)).toEqual(found(1));
    expect(found(2)).not.toEqual(found(1));
    const frozen = project(
      { weight: ones([1, 1]), adapters: { 0: { ...one(1), up: zeros([1, 1]) } } },
      inputs,
    );
    expect([...frozen.data]).toEqual([...inputs.data]);
  });

  it("must fit and not overlap", () => {
    const layer = linear({ inputs: 2, outputs: 4 });
    const wide = { down: rows([[1], [0]]), up: rows([[1, 2]]) };
    const refused = (more: { [column: string]: AdapterParams }) =>
      expect(() => layer.apply({ weight, adapters: more }, add(x, 0)));
    refused({ 3: wide }).toThrow("the adapter at column 3 has 2 outputs; it must fit into 0 to 4.");
    refused({ 0: wide, 1: wide }).toThrow("the adapter at column 1 has 2 outputs; it must fit into 2 to 4.");
  });
});
