import { box } from "@reins/core";
import type * as nn from "@reins/nn";
import { add, eye, layerNorm, matmul, ones, random, relu, setBackend, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { droppingLayers } from "./droq.ts";
import { criticEnsemble } from "./q/critics.ts";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = { ...small, tau: 0.05, temperatureRate: 1e-2, updates: 2, policyEvery: 2 };

describe("droq", () => {
  continuousContract("droq", quick, { steps: 1200 });

  it("has critics with dropout whenever there is a key, each with its own mask", () => {
    const spec = { id: "Any-v0", observation: box([3], -1, 1), action: box([1], -1, 1) };
    const make = { layers: droppingLayers(0.5), random: true };
    const critics = criticEnsemble(spec, { hidden: [32] }, { actions: 1 }, make);
    const weights = critics.init(random.key(1));
    const values = (seed?: number) =>
      critics
        .values(weights, ones([2, 3]), zeros([2, 1]), seed === undefined ? undefined : random.key(seed))
        .toArray();
    expect(values()).toEqual(values());
    expect(values(1)).toEqual(values(1));
    expect(values(1)).not.toEqual(values(2));
    expect(values(1)).not.toEqual(values());
    // Rows are equal here, and dropout masks differ between them.
    const [[a, b]] = values(1) as number[][];
    expect(a).not.toBe(b);
  });

  it("has a layer norm before each relu", () => {
    const layer = droppingLayers(0.1)([3, 8, 8]);
    const [linear, , norm] = layer.init(random.key(2)) as [nn.LinearParams, Tree, nn.LayerNormParams];
    // With an identity last layer the output is that of the hidden layer.
    const last = { weight: eye(8), bias: zeros([8]) };
    const x = random.normal(random.key(3), [5, 3]);
    const hidden = add(matmul(x, linear.weight), linear.bias ?? 0);
    const wanted = relu(layerNorm(hidden, norm.scale, norm.shift, 1e-5)).toArray();
    expect(layer.apply([linear, {}, norm, {}, last], x).toArray()).toEqual(wanted);
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("droq", { ...quick, automatic: false, temperature: 0.001 })).toBeCloseTo(2, 1);
  });
});
