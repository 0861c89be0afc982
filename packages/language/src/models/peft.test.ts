import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adamW, flattenNames, type GptParams, loadSafetensors, type OptimiserState } from "@reins/nn";
import {
  compile,
  crossEntropy,
  random,
  slice,
  type Tensor,
  tensor,
  transpose,
  valueAndGradient,
} from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { loadAdapters, saveAdapters } from "./adapters.ts";
import { loadModel, saveModel } from "./folder.ts";
import { type LoraModel, lora, mergeModelAdapters } from "./lora.ts";
import { adapterOf, modulesOf } from "./lora-modules.ts";

/** Made by make-peft.py: adapters on tiny models, and PEFT's results. */
const root = fileURLToPath(new URL("../../fixtures/peft", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "reins-peft-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const folders = (at: string) =>
  readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
const cases = folders(root).flatMap((family) =>
  folders(join(root, family)).map((name) => ({ family, name, folder: join(root, family, name) })),
);

const length = (values: Float32Array) => Math.hypot(...values);
/** The distance between two tensors, relative to the length of the second. */
function distance(a: Tensor, b: Tensor): number {
  expect(a.shape).toEqual(b.shape);
  const [x, y] = [a.data as Float32Array, b.data as Float32Array];
  return length(x.map((value, i) => value - y[i])) / length(y);
}

/** Adapters under PEFT's names, and in its shapes. */
function named(base: LoraModel["base"], params: GptParams): Map<string, Tensor> {
  const found = new Map<string, Tensor>();
  for (const module of modulesOf(base)) {
    const adapter = adapterOf(params, module);
    if (!adapter) continue;
    found.set(`base_model.model.${module.name}.lora_A.weight`, transpose(adapter.down));
    found.set(`base_model.model.${module.name}.lora_B.weight`, transpose(adapter.up));
  }
  return found;
}

async function read(family: string, folder: string) {
  const model = await loadAdapters(folder, await loadModel(join(root, family)));
  const { tensors, metadata } = await loadSafetensors(join(folder, "expected.safetensors"));
  const tokens = tensor(JSON.parse(metadata.tokens) as number[][], { dtype: "i32" });
  const under = (prefix: string) =>
    new Map(
      [...tensors].flatMap(([name, t]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), t] as const] : [],
      ),
    );
  return { model, tokens, under, tensors, losses: JSON.parse(metadata.losses) as number[] };
}

describe.each(cases)("PEFT's adapters $name on $family", ({ family, name, folder }) => {
  // Adapters of all layers on every family; adapters of some layers on one.
  const tags = name === "all" || family === "llama" ? [] : ["slow"];

  it("have PEFT's loss, gradients and steps", { tags }, async () => {
    const { model, tokens, under, losses } = await read(family, folder);
    const [, time] = tokens.shape;
    const loss = (p: GptParams) =>
      crossEntropy(
        slice(model.model.apply(p, tokens), [null, [0, time - 1]]),
        slice(tokens, [null, [1, time]]),
      );
    const optimiser = adamW({ learningRate: 0.01, epsilon: 1e-3, weightDecay: 0.1 });
    const update = compile((p: GptParams, s: OptimiserState<GptParams>) => {
      const { value, gradient } = valueAndGradient(loss)(p);
      return { loss: value, gradient, ...optimiser.update(gradient, s, p) };
    });
    const first = update(model.params, optimiser.init(model.params));
    const second = update(first.params, first.state);
    expect(Math.abs(first.loss.item() / losses[0] - 1)).toBeLessThan(1e-6);
    expect(Math.abs(second.loss.item() / losses[1] - 1)).toBeLessThan(1e-6);
    const compare = (params: GptParams, expected: Map<string, Tensor>) => {
      const found = named(model.base, params);
      expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [path, t] of found) expect(distance(t, expected.get(path)!), path).toBeLessThan(1e-6);
    };
    compare(first.gradient, under("gradient."));
    compare(second.params, under("after."));
    // PEFT trains the same number of parameters.
    const count = (tensors: Iterable<Tensor>) => [...tensors].reduce((sum, t) => sum + t.size, 0);
    expect(count(flattenNames(model.params).values())).toBe(count(under("after.").values()));
  });

  it("merge into PEFT's weights", async () => {
    const { model, tokens, under, tensors } = await read(family, folder);
    const plain = mergeModelAdapters(model);
    expect(distance(plain.model.apply(plain.params, tokens), tensors.get("logits")!)).toBeLessThan(1e-6);
    const to = join(temporary, `${family} ${name} merged`);
    await saveModel(to, model);
    const { tensors: written } = await loadSafetensors(join(to, "model.safetensors"));
    for (const [path, t] of under("merged."))
      expect(distance(written.get(path)!, t), path).toBeLessThan(1e-6);
  });

  it("are the same adapters after saving", async () => {
    const { model } = await read(family, folder);
    const to = join(temporary, `${family} ${name}`);
    await saveAdapters(to, model);
    const file = "adapter_model.safetensors";
    const [before, after] = [
      await loadSafetensors(join(folder, file)),
      await loadSafetensors(join(to, file)),
    ];
    expect([...after.tensors.keys()].sort()).toEqual([...before.tensors.keys()].sort());
    for (const [path, t] of before.tensors) {
      expect(after.tensors.get(path)!.shape, path).toEqual(t.shape);
      expect(after.tensors.get(path)!.data, path).toEqual(t.data);
    }
    const config = (at: string) => JSON.parse(readFileSync(join(at, "adapter_config.json"), "utf8"));
    expect(config(to)).toEqual(config(folder));
    const again = await loadAdapters(to, model.base);
    expect(again.lora).toEqual(model.lora);
  });

  it("have the modules of new adapters with the same settings", async () => {
    const { model } = await read(family, folder);
    if (name === "layers") return;
    const { targets, ...settings } = model.lora;
    const targeted = name === "patterns" ? ["q_proj", "k_proj", "up_proj"] : targets;
    const shapes = (params: GptParams) => [...flattenNames(params)].map(([path, t]) => [path, t.shape]);
    const fresh = lora(model.base, { ...settings, targets: targeted }, random.key(1));
    expect(shapes(fresh.params)).toEqual(shapes(model.params));
    expect(shapes(model.model.init(random.key(1)))).toEqual(shapes(model.params));
  });
});
