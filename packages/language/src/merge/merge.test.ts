import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GptParams, loadSafetensors } from "@reins/nn";
import { random, type Tensor, treeMap } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { loadAdapters } from "../models/adapters.ts";
import { loadModel, saveModel } from "../models/folder.ts";
import { type MergeOptions, mergeModels } from "./merge-models.ts";
import { type MergeSettings, mergeTensors } from "./methods.ts";
import { keepLargest, keepRandom } from "./sparsity.ts";

const list = (...x: number[]) => Float32Array.from(x);
const merged = (models: Float32Array[], base: Float32Array | undefined, how: Partial<MergeSettings>) => [
  ...mergeTensors(
    models,
    base,
    { method: "linear", weights: models.map(() => 1), density: 1, seed: 0, ...how },
    "x",
  ),
];

describe("merged tensors, by hand", () => {
  it("linear: the weighted mean", () => {
    expect(merged([list(1, 2), list(5, 10)], undefined, { weights: [3, 1] })).toEqual([2, 4]);
  });

  it("slerp: the arc between directions, a line where they are parallel", () => {
    const [half] = [Math.SQRT1_2];
    const right = merged([list(1, 0), list(0, 1)], undefined, { method: "slerp" });
    expect(right[0]).toBeCloseTo(half, 7);
    expect(right[1]).toBeCloseTo(half, 7);
    const third = merged([list(2, 0), list(0, 2)], undefined, { method: "slerp", weights: [2, 1] });
    expect(third[0]).toBeCloseTo(2 * Math.cos(Math.PI / 6), 6);
    expect(third[1]).toBeCloseTo(2 * Math.sin(Math.PI / 6), 6);
    expect(merged([list(1, 1), list(3, 3)], undefined, { method: "slerp" })).toEqual([2, 2]);
    expect(merged([list(0, 0), list(4, 2)], undefined, { method: "slerp" })).toEqual([2, 1]);
    // Nearly opposite directions: Newton's method converges there too.
    const far = merged([list(1, 0), list(-0.999, 0.0447)], undefined, { method: "slerp" });
    expect(Math.hypot(...far)).toBeCloseTo(1, 3);
  });

  it("task arithmetic: differences are added to the base", () => {
    const how = { method: "task-arithmetic", weights: [1, 0.5] } as const;
    expect(merged([list(3, 1), list(1, 5)], list(1, 1), how)).toEqual([3, 3]);
  });

  it("ties: the largest elements, the sign of the majority, the mean of those who agree", () => {
    // Differences (4, 1, -3, 0.5) and (2, -1, 5, 0.1); half of each is kept: (4, 0, -3, 0) and (2, 0, 5, 0).
    const [a, b] = [list(14, 11, 7, 10.5), list(12, 9, 15, 10.1)];
    const base = list(10, 10, 10, 10);
    expect(merged([a, b], base, { method: "ties", density: 0.5 })).toEqual([13, 10, 15, 10]);
    expect(merged([a, b], base, { method: "ties", density: 0.5, weights: [3, 1] })).toEqual([
      13.5, 10, 7, 10,
    ]);
  });

  it("dare: the expected difference, at any density", () => {
    const n = 20_000;
    const [base, model] = [new Float32Array(n), new Float32Array(n).fill(1)];
    const out = merged([model], base, { method: "dare", density: 0.25 });
    expect(new Set(out)).toEqual(new Set([0, 4]));
    // Four standard deviations of the mean.
    expect(Math.abs(out.reduce((x, y) => x + y, 0) / n - 1)).toBeLessThan(4 * Math.sqrt(3 / n));
    expect(merged([model], base, { method: "dare", density: 0.25, seed: 1 })).not.toEqual(out);
    expect(merged([list(3, 1)], list(1, 1), { method: "dare-ties" })).toEqual([3, 1]);
  });
});

it("keeps exactly the asked share, also of equal elements", () => {
  const x = list(2, -2, 2, -2, 1, 3);
  keepLargest(x, 0.5);
  expect([...x]).toEqual([2, -2, 0, 0, 0, 3]);
  const all = list(1, 2);
  keepLargest(all, 1);
  keepRandom(all, 1, 7);
  expect([...all]).toEqual([1, 2]);
});

describe("folders", () => {
  const root = fileURLToPath(new URL("../../fixtures/peft/llama", import.meta.url));
  const temporary = mkdtempSync(join(tmpdir(), "reins-merge-"));
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));
  const weights = async (folder: string) =>
    (await loadSafetensors(join(folder, "model.safetensors"))).tensors;
  const merge = async (name: string, options: Omit<MergeOptions, "out">) => {
    const out = join(temporary, name);
    await mergeModels({ ...options, out });
    return weights(out);
  };
  const expectClose = (a: ReadonlyMap<string, Tensor>, b: ReadonlyMap<string, Tensor>, digits: number) => {
    expect([...a.keys()].sort()).toEqual([...b.keys()].sort());
    for (const [name, t] of a)
      t.data.forEach((x, i) => {
        if (Math.abs(x - b.get(name)!.data[i]) > 10 ** -digits) expect.fail(`${name} ${i}`);
      });
  };
  /** The model of the folder with noise on its weights. */
  const noisy = async (name: string, seed: number) => {
    const model = await loadModel(root);
    let next = 1000 * seed;
    const noise = (t: Tensor) => random.normal(random.key(next++), t.shape).mul(0.1);
    const params = treeMap((t) => t.add(noise(t)), model.params) as GptParams;
    const folder = join(temporary, name);
    await saveModel(folder, { ...model, params });
    return folder;
  };

  it("of adapters are merged into their model, as PEFT merges them", async () => {
    const adapters = join(root, "all");
    const out = await merge("adapted", { models: [adapters], base: root });
    const expected = join(temporary, "expected");
    await saveModel(expected, await loadAdapters(adapters, await loadModel(root)));
    expectClose(out, await weights(expected), 7);
    const half = await merge("half", {
      models: [adapters],
      base: root,
      method: "task-arithmetic",
      weights: [0.5],
    });
    const [whole, base] = [await weights(expected), await weights(root)];
    for (const [name, t] of half)
      t.data.forEach((x, i) => {
        expect(x).toBeCloseTo((whole.get(name)!.data[i] + base.get(name)!.data[i]) / 2, 6);
      });
  });

  it("give the identities of the methods, and load as models", async () => {
    const [a, b] = [await noisy("a", 1), await noisy("b", 2)];
    expectClose(await merge("same", { models: [a, a, a] }), await weights(a), 7);
    expectClose(
      await merge("start", { models: [a, b], method: "slerp", weights: [1, 0] }),
      await weights(a),
      6,
    );
    for (const method of ["ties", "dare", "task-arithmetic"] as const)
      expectClose(await merge(method, { models: [b], base: root, method, density: 1 }), await weights(b), 6);
    const { options } = await loadModel(join(temporary, "ties"));
    expect(options).toEqual((await loadModel(root)).options);
    const bytes = (name: string) => readFileSync(join(temporary, name, "model.safetensors"));
    await merge("dare-1", { models: [a, b], base: root, method: "dare-ties" });
    await merge("dare-2", { models: [a, b], base: root, method: "dare-ties" });
    expect(bytes("dare-1").equals(bytes("dare-2"))).toBe(true);
  });

  it.each<[RegExp, Omit<MergeOptions, "out">]>([
    [/no models/, { models: [] }],
    [/Pass base/, { models: [root], method: "ties" }],
    [/two models, not 1/, { models: [root], method: "slerp" }],
    [/must be one of linear/, { models: [root], method: "best" as never }],
    [/1 weights for 2 models/, { models: [root, root], weights: [1] }],
    [/sum must be above 0/, { models: [root, root], weights: [1, -1] }],
    [/they and their sum must be finite/, { models: [root, root], weights: [1e308, 1e308] }],
    [/density is 0/, { models: [root], base: root, method: "ties", density: 0 }],
    [/it has adapters. Pass base/, { models: [join(root, "all")] }],
    [/config.json and adapter_config.json are missing/, { models: [join(temporary, "none")] }],
    [/only if they have one architecture/, { models: [root, join(root, "../gpt2")] }],
  ])("are refused with the reason: %s", async (why, options) => {
    await expect(mergeModels({ ...options, out: join(temporary, "refused") })).rejects.toThrow(why);
  });

  it("keep the tokenizer of the first model byte for byte", async () => {
    const folder = await noisy("tokenized", 3);
    // Not valid UTF-8, as in a SentencePiece model.
    const bytes = Uint8Array.of(10, 255, 0, 128, 200);
    writeFileSync(join(folder, "tokenizer.model"), bytes);
    await merge("tokenized-out", { models: [folder] });
    expect([...readFileSync(join(temporary, "tokenized-out", "tokenizer.model"))]).toEqual([...bytes]);
  });

  it("never replace a file, also of an incomplete or sharded model", async () => {
    await expect(mergeModels({ models: [root], out: root })).rejects.toThrow("Choose a new folder");
    const out = join(temporary, "used");
    mkdirSync(out);
    for (const name of ["tokenizer.json", "model.safetensors.index.json"]) {
      writeFileSync(join(out, name), "{}");
      await expect(mergeModels({ models: [root], out })).rejects.toThrow(`it has a ${name} already`);
      expect(readFileSync(join(out, name), "utf8")).toBe("{}");
      rmSync(join(out, name));
    }
    await mergeModels({ models: [root], out });
  });

  it("are refused if they compute something else with the same tensors", async () => {
    const other = join(temporary, "heads");
    cpSync(root, other, { recursive: true });
    const path = join(other, "config.json");
    const config = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...config, rms_norm_eps: 0.25, max_position_embeddings: 8 }));
    await expect(mergeModels({ models: [root, other], out: join(temporary, "refused") })).rejects.toThrow(
      /its epsilon is 0.25, but \S+ in .*llama. Models can be merged only if/,
    );
    writeFileSync(path, JSON.stringify({ ...config, max_position_embeddings: 8 }));
    await merge("longer", { models: [root, other] });
  });

  it("are refused with elements that are not finite", async () => {
    const model = await loadModel(root);
    const broken = join(temporary, "broken");
    const params = treeMap((t) => t.mul(Number.NaN), model.params) as GptParams;
    await saveModel(broken, { ...model, params });
    await expect(mergeModels({ models: [root, broken], out: join(temporary, "refused") })).rejects.toThrow(
      /broken: tensor ".*" has elements that are not finite/,
    );
  });
});
