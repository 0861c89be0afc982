import { adam, flattenNames, type OptimiserState } from "@reins/nn";
import {
  argmax,
  compile,
  crossEntropy,
  random,
  reshape,
  slice,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { newModel } from "./language-model.ts";
import { cutPatches, type ImageParams, patchPositions, withPatches } from "./patches.ts";

const [hole, question] = [5, 6];
const base = newModel(
  { layers: 1, width: 16, heads: 2, context: 16, vocabulary: 8, style: "llama", deviation: 0.2 },
  random.key(1),
);
const make = (hidden?: number) =>
  withPatches(base, { patch: [2, 2], channels: 1, token: hole, grid: [2, 2], hidden }, random.key(2));
const places = patchPositions(2, 2);
const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const picture = (rows: number, seed = 3) =>
  cutPatches(random.normal(random.key(seed), [rows, 4, 4, 1]), [2, 2]);

describe("patches", () => {
  it("are cut row by row, with all channels", () => {
    const image = tensor(
      Float32Array.from({ length: 24 }, (_, i) => i),
      { shape: [2, 6, 2] },
    );
    expect([...cutPatches(image, [2, 3]).data]).toEqual([
      0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23,
    ]);
    expect([...cutPatches(image, [1, 6]).data]).toEqual([...image.data]);
    expect([...patchPositions(2, 3).data]).toEqual([0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]);
    expect(() => cutPatches(image, [2, 4])).toThrow("patches of 2 × 4");
  });

  it("replace their token, in order, with the embeddings of their row and column", () => {
    const { model, params } = make();
    const patches = picture(1);
    const tokens = ints([[1, hole, hole, 2, hole, hole, hole]]);
    // By hand: four vectors instead of embeddings; the fifth placeholder is a token.
    const table = base.params.tokens.table.data;
    const { weight, bias } = params.patches.project.layers[0];
    const vector = (p: number, i: number) => {
      let y = bias!.data[i];
      for (let f = 0; f < 4; f++) y += patches.data[p * 4 + f] * weight.data[f * 16 + i];
      return (
        y +
        params.patches.rows.table.data[(p >> 1) * 16 + i] +
        params.patches.columns.table.data[(p & 1) * 16 + i]
      );
    };
    const at = [-1, 0, 1, -1, 2, 3, -1];
    const values = at.flatMap((p, t) =>
      Array.from({ length: 16 }, (_, i) => (p < 0 ? table[tokens.data[t] * 16 + i] : vector(p, i))),
    );
    const embedded = {
      at: tensor(
        Uint8Array.from({ length: 7 }, () => 1),
        { shape: [1, 7], dtype: "bool" },
      ),
      values: tensor(values, { shape: [1, 7, 16] }),
    };
    const wanted = base.model.apply(base.params, tokens, { embedded }).data;
    const found = model.apply(params, tokens, { images: { patches, places } }).data;
    found.forEach((x: number, i: number) => expect(x).toBeCloseTo(wanted[i], 5));
    expect(model.apply(params, tokens).data).toEqual(base.model.apply(base.params, tokens).data);
  });

  it("give the same through KV caches as without", () => {
    const { model, params } = make(8);
    const images = { patches: picture(2), places };
    const tokens = ints([
      [hole, hole, hole, hole, 1, 2],
      [3, hole, hole, hole, hole, 0],
    ]);
    const whole = model.apply(params, tokens, { images });
    const part = (from: number, to: number) => slice(tokens, [null, [from, to]]);
    const first = model.step(params, part(0, 5), model.start(2, { maximum: 6 }), { images });
    const second = model.step(params, part(5, 6), first.state);
    const last = slice(whole, [null, [5, 6]]).data;
    second.output.data.forEach((x: number, i: number) => expect(x).toBeCloseTo(last[i], 5));
  });

  it("have the gradient of finite differences", () => {
    const { model, params } = make(8);
    const tokens = ints([[hole, hole, hole, hole, question]]);
    const total = (p: ImageParams) => {
      const y = model.apply(p, tokens, { images: { patches: picture(1), places } });
      return sum(y.mul(y));
    };
    const slopes = flattenNames(valueAndGradient(total)(params).gradient.patches);
    for (const [path, t] of flattenNames(params.patches)) {
      const here = t.data[3];
      const value = (x: number) => {
        t.data[3] = x;
        return total(params).item();
      };
      const slope = (value(here + 1e-2) - value(here - 1e-2)) / 2e-2;
      t.data[3] = here;
      const found = slopes.get(path)!.data[3];
      expect(Math.abs(found - slope), path).toBeLessThan(5e-3 * Math.max(1, Math.abs(slope)));
    }
  });

  it("teach a tiny model to count the bright cells of an image", () => {
    const { model, params } = make();
    const rows = 64;
    const tokens = ints(Array.from({ length: rows }, () => [hole, hole, hole, hole, question]));
    const answer = (p: ImageParams, patches: Tensor) =>
      reshape(slice(model.apply(p, tokens, { images: { patches, places } }), [null, [4, 5], [0, 5]]), [
        rows,
        5,
      ]);
    const draw = (seed: number) => {
      const noise = random.uniform(random.key(seed), [rows, 17]).data;
      const image = new Float32Array(rows * 16);
      const counts = new Int32Array(rows);
      for (let r = 0; r < rows; r++) {
        const own = [...noise.subarray(r * 17, r * 17 + 16)];
        counts[r] = Math.floor(5 * noise[r * 17 + 16]);
        const order = own.map((x, i) => [x, i]).sort((a, b) => a[0] - b[0]);
        for (const [, cell] of order.slice(0, counts[r])) image[r * 16 + cell] = 1;
      }
      return {
        patches: cutPatches(tensor(image, { shape: [rows, 4, 4, 1] }), [2, 2]),
        counts: tensor(counts, { dtype: "i32" }),
      };
    };
    const optimiser = adam({ learningRate: 1e-2 });
    const update = compile(
      (p: ImageParams, s: OptimiserState<ImageParams>, patches: Tensor, counts: Tensor) => {
        const { gradient } = valueAndGradient((q: ImageParams) => crossEntropy(answer(q, patches), counts))(
          p,
        );
        return optimiser.update(gradient, s, p);
      },
      { donate: [0, 1] },
    );
    let now = { params, state: optimiser.init(params) };
    for (let i = 0; i < 300; i++) {
      const { patches, counts } = draw(i);
      now = update(now.params, now.state, patches, counts);
    }
    const fresh = draw(9999);
    const found = argmax(answer(now.params, fresh.patches), -1).data;
    const right = fresh.counts.data.filter((c: number, i: number) => c === found[i]).length;
    expect(right / rows).toBeGreaterThan(0.9);
  });
});
