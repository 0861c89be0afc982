import { compile, random, reshape, slice, square, sum, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  dropout,
  ensemble,
  layerNorm,
  linear,
  mlp,
  sequential,
  stackTrees,
  unstackMember,
} from "../index.ts";
import { expectClose, expectGradient } from "../testing.ts";

const key = random.key(9);
const row = (x: Tensor, t: number) => reshape(slice(x, [[t, t + 1]]), x.shape.slice(1));

describe("ensemble", () => {
  const member = mlp({ inputs: 3, hidden: [5], outputs: 2 });
  const all = ensemble(member, { members: 4 });
  const params = all.init(key);
  const x = random.normal(random.key(1), [6, 3]);
  it("equals its members one by one, eagerly and compiled", () => {
    expect(params.layers[0].weight.shape).toEqual([4, 3, 5]);
    const y = all.apply(params, x);
    expect(y.shape).toEqual([4, 6, 2]);
    for (let m = 0; m < 4; m++) expectClose(row(y, m), member.apply(unstackMember(params, m), x));
    expectClose(compile((p: typeof params, t: Tensor) => all.apply(p, t))(params, x), y);
    expect(row(y, 0).toArray()).not.toEqual(row(y, 1).toArray());
  });
  it("gives each member its own input with separateInputs", () => {
    const apart = ensemble(member, { members: 4, separateInputs: true });
    const xs = random.normal(random.key(2), [4, 6, 3]);
    const y = apart.apply(params, xs);
    for (let m = 0; m < 4; m++) expectClose(row(y, m), member.apply(unstackMember(params, m), row(xs, m)));
    expect(() => apart.apply(params, x)).toThrow("one input per member");
  });
  it("has the gradient of finite differences", () =>
    expectGradient((p) => sum(square(all.apply(p, x))), params));
  it("applies a different dropout mask in each member", () => {
    const net = ensemble(sequential(linear({ inputs: 3, outputs: 8 }), layerNorm(8), dropout(0.5)), {
      members: 2,
    });
    const one = sequential(linear({ inputs: 3, outputs: 8 }), layerNorm(8), dropout(0.5)).init(key);
    const y = net.apply(stackTrees([one, one]), x, { key });
    expect(row(y, 0).toArray()).not.toEqual(row(y, 1).toArray());
  });
});
