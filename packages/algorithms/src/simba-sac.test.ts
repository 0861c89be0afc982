import { box, dict, image, Run } from "@reins/core";
import { add, random, setBackend, type Tensor, treeMap, zerosLike } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { residualLayers } from "./q/residual.ts";
import { simbaSac } from "./simba-sac.ts";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";
import { aim, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = {
  ...small,
  criticHidden: [16],
  tau: 0.05,
  temperature: 0.1,
  temperatureRate: 1e-2,
  updates: 1,
};

describe("simba-sac", () => {
  continuousContract("simba-sac", quick, { steps: 1200 });

  it("tracks mean and variance of its observations, and acts on them", () => {
    const run = trained({ algorithm: simbaSac(quick), env: aim(), steps: 400, seed: 1 });
    const { seen } = run.process.acting!.weights as {
      readonly seen: { readonly mean: Tensor; readonly variance: Tensor };
    };
    expect(seen.mean.data[0]).toBeCloseTo(0, 1);
    // Uniform numbers between -1 and 1 have variance 1/3.
    expect(seen.variance.data[0]).toBeCloseTo(1 / 3, 1);
    const own = run.process.parts.state as { seen: typeof seen };
    expect(seen.mean).toBe(own.seen.mean);
  });

  it("initialises each block as the identity, if its last layer is zero", () => {
    const deep = residualLayers([3, 8, 8, 2]);
    const flat = residualLayers([3, 8, 2]);
    const params = deep.init(random.key(1)) as Tensor[][][];
    const still = ([norm, up, relu, down]: Tensor[][]) => [norm, up, relu, treeMap(zerosLike, down)];
    const [embed, one, two, norm, last] = params;
    const x = random.normal(random.key(2), [4, 3]);
    const whole = deep.apply([embed, still(one), still(two), norm, last], x).toArray();
    expect(flat.apply([embed, still(one), norm, last], x).toArray()).toEqual(whole);
    expect(deep.apply(params, x).toArray()).not.toEqual(whole);
  });

  it("is invariant to an offset of all units, after its last layer norm", () => {
    const layer = residualLayers([3, 8, 2]);
    const [embed, block, norm, last] = layer.init(random.key(1)) as [
      { weight: Tensor; bias: Tensor },
      Tensor,
      Tensor,
      Tensor,
    ];
    const x = random.normal(random.key(2), [4, 3]);
    const shifted = { ...embed, bias: add(embed.bias, 2) };
    const before = layer.apply([embed, block, norm, last], x).data;
    layer
      .apply([shifted, block, norm, last], x)
      .data.forEach((y, i) => void expect(y).toBeCloseTo(before[i], 4));
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("simba-sac", { ...quick, automatic: false, temperature: 0.001 }, 600)).toBeCloseTo(
      2,
      1,
    );
  });

  it("rejects images", () => {
    const place = aim();
    const spec = { ...place.spec, observation: dict({ eyes: image(4, 4, 1), rest: box([1], -1, 1) }) };
    expect(() => new Run({ algorithm: simbaSac(), env: { ...place, spec }, steps: 10 })).toThrow(
      "simba-sac normalises numeric observations; Aim-v0 has images or text",
    );
  });
});
