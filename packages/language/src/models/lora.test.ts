import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adam, flattenNames, type GptParams, loadSafetensors, saveSafetensors } from "@reins/nn";
import {
  compile,
  crossEntropy,
  logSoftmax,
  mul,
  random,
  slice,
  type Tensor,
  tensor,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { TextGenerator } from "../generation/generator.ts";
import { loadAdapters, saveAdapters } from "./adapters.ts";
import { loadModel, saveModel } from "./folder.ts";
import { type LanguageModel, newModel } from "./language-model.ts";
import { type LoraModel, lora, mergeModelAdapters } from "./lora.ts";
import { loraTargets } from "./lora-modules.ts";
import type { LoraOptions } from "./lora-options.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "reins-lora-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const tokens = ints([
  [1, 5, 2, 9, 3, 3],
  [7, 0, 4, 4, 8, 2],
]);
const tiny = { layers: 2, width: 8, heads: 2, context: 16, vocabulary: 11 } as const;
const gpt2 = newModel(tiny, random.key(3));
const llama = newModel({ ...tiny, style: "llama", keyHeads: 1 }, random.key(4));
const bases: [string, LanguageModel][] = [
  ["gpt2", gpt2],
  ["llama", llama],
  ["a Llama folder", await loadModel(join(root, "hf", "llama"))],
  ["a Qwen 2 folder", await loadModel(join(root, "hf", "qwen2"))],
];

it("saved adapters name the folder of their base, for PEFT's AutoPeftModelForCausalLM", async () => {
  const folder = join(root, "hf", "llama");
  const adapters = lora(await loadModel(folder), { rank: 2, dropout: 0.1 }, random.key(1));
  await saveAdapters(join(temporary, "named"), adapters);
  const config = JSON.parse(readFileSync(join(temporary, "named", "adapter_config.json"), "utf8")) as object;
  expect(config).toMatchObject({ base_model_name_or_path: folder, lora_dropout: 0.1 });
  expect(() => lora(llama, { dropout: 1 }, random.key(1))).toThrow("it must be a number from 0 to below 1");
});

/** The same model with adapters that do something. */
function stirred(model: LoraModel, seed = 7): LoraModel {
  let i = 0;
  const params = treeMap(
    (t) => mul(random.normal(random.foldKey(random.key(seed), i++), t.shape), 0.3),
    model.params,
  ) as GptParams;
  return { ...model, params };
}
const logits = ({ model, params }: LanguageModel) => model.apply(params, tokens).data as Float32Array;
const far = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
const lossOf = (model: LanguageModel["model"], params: GptParams, t: Tensor) =>
  crossEntropy(slice(model.apply(params, t), [null, [0, 5]]), slice(t, [null, [1, 6]]));

describe.each(bases)("adapters on %s", (name, base) => {
  const first = lora(base, { rank: 2 }, random.key(1));
  const model = stirred(first);

  it("change nothing at first, and the model later", () => {
    expect(logits(first)).toEqual(logits(base));
    expect(far(logits(model), logits(base))).toBeGreaterThan(0.01);
  });

  it("give the outputs of the model with merged weights", async () => {
    const plain = mergeModelAdapters(model);
    expect([...flattenNames(plain.params).keys()]).toEqual([...flattenNames(base.params).keys()]);
    expect(far(logits(plain), logits(model))).toBeLessThan(1e-5);
    const folder = join(temporary, `merged ${name}`);
    await saveModel(folder, plain);
    expect(logits(await loadModel(folder))).toEqual(logits(plain));
    // Saving merges each matrix as it is written.
    const folding = join(temporary, `folding ${name}`);
    await saveModel(folding, model);
    for (const file of ["config.json", "model.safetensors"])
      expect(readFileSync(join(folding, file)).equals(readFileSync(join(folder, file))), file).toBe(true);
  });

  it("round-trip through PEFT's files bit for bit", async () => {
    const folder = join(temporary, name);
    await saveAdapters(folder, model);
    const back = await loadAdapters(folder, base);
    expect(logits(back)).toEqual(logits(model));
    expect(back.lora).toEqual(model.lora);
  });

  it("are used in generation", () => {
    const { vocabulary, context } = base.options;
    const generator = new TextGenerator({ ...model, vocabulary, context, end: -1, rows: 2 });
    const prompts = [[1, 5, 2], [7]];
    const found = generator.generate(prompts.map((prompt, seed) => ({ prompt, seed, limit: 6 })));
    found.forEach(({ tokens: answer, modelLogProb }, i) => {
      const all = [...prompts[i], ...answer];
      const p = logSoftmax(model.model.apply(model.params, ints([all.slice(0, -1)]))).data;
      answer.forEach((t, k) =>
        expect(modelLogProb[k]).toBeCloseTo(p[(prompts[i].length - 1 + k) * vocabulary + t], 4),
      );
    });
  });
});

describe("learning adapters", () => {
  it("has the gradient of finite differences", () => {
    const model = stirred(lora(llama, { rank: 2, alpha: 3 }, random.key(1)));
    const { gradient } = valueAndGradient((p: GptParams) => lossOf(model.model, p, tokens))(model.params);
    const slopes = flattenNames(gradient);
    expect(slopes.size).toBe(2 * 7 * 2);
    for (const [path, t] of flattenNames(model.params)) {
      const at = t.size >> 1;
      const here = t.data[at];
      const value = (x: number) => {
        t.data[at] = x;
        return lossOf(model.model, model.params, tokens).item();
      };
      const slope = (value(here + 1e-2) - value(here - 1e-2)) / 2e-2;
      t.data[at] = here;
      expect(Math.abs(slopes.get(path)!.data[at] - slope), path).toBeLessThan(2e-4);
    }
  });

  it("changes only the adapters, and lowers the loss", () => {
    const base = newModel({ ...llama.options, deviation: 0.5 }, random.key(4));
    const before = logits(base).slice();
    const { model, params } = lora(base, { rank: 4, targets: ["v_proj", "down_proj"] }, random.key(2));
    expect([...flattenNames(params).keys()].slice(0, 4)).toEqual([
      "blocks.0.attention.qkv.adapters.v_proj.down",
      "blocks.0.attention.qkv.adapters.v_proj.up",
      "blocks.0.feedForward.down.adapters.down_proj.down",
      "blocks.0.feedForward.down.adapters.down_proj.up",
    ]);
    const optimiser = adam({ learningRate: 0.03 });
    const update = compile(
      (p: GptParams, s: ReturnType<typeof optimiser.init>) => {
        const { value, gradient } = valueAndGradient((q: GptParams) => lossOf(model, q, tokens))(p);
        return { loss: value, ...optimiser.update(gradient, s, p) };
      },
      { donate: [0, 1] },
    );
    let now = update(params, optimiser.init(params) as never);
    const start = now.loss.item();
    for (let i = 0; i < 60; i++) now = update(now.params as GptParams, now.state as never);
    expect(now.loss.item()).toBeLessThan(start / 2);
    expect(logits(base)).toEqual(before);
  });

  it("reads the base in place, also in compiled functions", () => {
    const base = newModel(llama.options, random.key(4));
    const { model, params } = lora(base, {}, random.key(1));
    const apply = compile((p: GptParams, t: Tensor) => model.apply(p, t));
    expect(far(apply(params, tokens).data as Float32Array, logits(base))).toBeLessThan(1e-5);
    base.params.tokens.table.data.fill(0.5, 0, 40);
    base.params.blocks[1].attention.output.weight.data.fill(0.25);
    const changed = logits(base);
    expect(far(changed, logits(llama))).toBeGreaterThan(0.01);
    expect(far(apply(params, tokens).data as Float32Array, changed)).toBeLessThan(1e-5);
  });

  it("takes PEFT's module names, for each layout", async () => {
    const phi3 = await loadModel(join(root, "hf", "phi3"));
    const own = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];
    expect(loraTargets(llama)).toEqual(own);
    expect(loraTargets(gpt2)).toEqual(["c_attn", "c_proj", "c_fc"]);
    expect(loraTargets(phi3)).toEqual(["qkv_proj", "o_proj", "gate_up_proj", "down_proj"]);
    const places = (base: LanguageModel, targets?: string | string[]) =>
      [...flattenNames(lora(base, { targets }, random.key(1)).params).keys()]
        .filter((path) => path.endsWith(".up"))
        .map((path) => path.replace(/^blocks\.(\d)\.\w+\.(\w+)\.adapters\.(\w+)\.up$/, "$1 $2 $3"));
    expect(places(llama, "all-linear")).toEqual(places(llama));
    expect(places(llama)).toHaveLength(14);
    expect(places(llama, ["q_proj", "v_proj"])).toEqual([
      "0 qkv q_proj",
      "0 qkv v_proj",
      "1 qkv q_proj",
      "1 qkv v_proj",
    ]);
    expect(places(llama, "1.self_attn.k_proj")).toEqual(["1 qkv k_proj"]);
    // Without a dot, both GPT-2 modules of this name.
    expect(places(gpt2, ["c_proj"])).toEqual([
      "0 output c_proj",
      "0 down c_proj",
      "1 output c_proj",
      "1 down c_proj",
    ]);
    expect(places(gpt2, ["mlp.c_proj"])).toEqual(["0 down c_proj", "1 down c_proj"]);
    expect(places(phi3, ["gate_up_proj"])).toEqual(["0 up gate_up_proj", "1 up gate_up_proj"]);
  });

  it("rejects invalid settings", () => {
    expect(() => lora(lora(llama, {}, random.key(1)), {}, random.key(1))).toThrow("adapters already");
    const refused = (options: LoraOptions, why: string) =>
      expect(() => lora(llama, options, random.key(1))).toThrow(why);
    refused({ rank: 0 }, "must be a positive integer");
    refused({ alpha: Number.NaN }, "the alpha is NaN; it must be a number above 0");
    refused({ rankPattern: { q_proj: 1.5 } }, 'the rank of "q_proj" is 1.5');
    refused({ alphaPattern: { "(": 1 } }, '"(" is not a valid pattern of module names');
    refused({ targets: [] }, "targets is empty");
    refused(
      { targets: ["q_proj", "qkv"] },
      'target "qkv" is not a linear module of this model. Use "all-linear", or any of q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj.',
    );
    expect(() => lora(gpt2, { targets: ["q_proj"] }, random.key(1))).toThrow("any of c_attn, c_proj, c_fc.");
  });
});

describe("PEFT's files", () => {
  const normal = (seed: number, ...shape: number[]) => random.normal(random.key(seed), shape);
  const at = (layer: number, module: string, side: "A" | "B") =>
    `base_model.model.model.layers.${layer}.${module}.lora_${side}.weight`;
  const folder = join(temporary, "peft");

  it("have PEFT's names and shapes", async () => {
    await saveAdapters(folder, stirred(lora(llama, { rank: 2, alpha: 6 }, random.key(1))));
    const { tensors } = await loadSafetensors(join(folder, "adapter_model.safetensors"));
    expect(tensors.size).toBe(2 * 7 * 2);
    expect(tensors.get(at(0, "self_attn.q_proj", "A"))!.shape).toEqual([2, 8]);
    expect(tensors.get(at(1, "self_attn.k_proj", "B"))!.shape).toEqual([4, 2]);
    expect(tensors.get(at(1, "mlp.gate_proj", "B"))!.shape).toEqual([24, 2]);
    const settings = JSON.parse(readFileSync(join(folder, "adapter_config.json"), "utf8"));
    expect(settings).toMatchObject({ peft_type: "LORA", r: 2, lora_alpha: 6, rank_pattern: {} });
    expect(settings.target_modules).toEqual([
      "q_proj",
      "k_proj",
      "v_proj",
      "o_proj",
      "gate_proj",
      "up_proj",
      "down_proj",
    ]);
  });

  it("may have adapters on some modules, of several ranks and scales", async () => {
    const settings = {
      ...{ peft_type: "LORA", r: 2, lora_alpha: 6, rank_pattern: { v_proj: 3 } },
      alpha_pattern: { "1.self_attn.v_proj": 5 },
      target_modules: ["0.self_attn.q_proj", "1.self_attn.v_proj", "1.mlp.up_proj"],
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "adapter_config.json"), JSON.stringify(settings));
    const [q, v, up] = [
      [normal(1, 2, 8), normal(2, 8, 2)],
      [normal(3, 3, 8), normal(4, 4, 3)],
      [normal(5, 2, 8), normal(6, 24, 2)],
    ];
    await saveSafetensors(join(folder, "adapter_model.safetensors"), [
      [at(0, "self_attn.q_proj", "A"), q[0]],
      [at(0, "self_attn.q_proj", "B"), q[1]],
      [at(1, "self_attn.v_proj", "A"), v[0]],
      [at(1, "self_attn.v_proj", "B"), v[1]],
      [at(1, "mlp.up_proj", "A"), up[0]],
      [at(1, "mlp.up_proj", "B"), up[1]],
    ]);
    const model = await loadAdapters(folder, llama);
    expect(model.lora.targets).toEqual(settings.target_modules);
    // By hand: scale · (B·A) transposed, added to the columns of its module.
    const plain = newModel(llama.options, random.key(4));
    const added = (weight: Tensor, [a, b]: Tensor[], from: number, scale: number) => {
      const [inputs, outputs] = weight.shape;
      const [width, rank] = b.shape;
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < width; o++)
          for (let r = 0; r < rank; r++)
            weight.data[i * outputs + from + o] += scale * b.data[o * rank + r] * a.data[r * inputs + i];
    };
    const [block0, block1] = plain.params.blocks;
    added(block0.attention.qkv.weight, q, 0, 3);
    added(block1.attention.qkv.weight, v, 12, 5 / 3);
    added(block1.feedForward.up.weight, up, 24, 3);
    expect(far(logits(model), logits(plain))).toBeLessThan(1e-5);
    const again = join(temporary, "again");
    await saveAdapters(again, model);
    expect(far(logits(await loadAdapters(again, llama)), logits(plain))).toBeLessThan(1e-5);
  });

  it("are rejected with a reason", async () => {
    await expect(loadAdapters(join(temporary, "nowhere"), llama)).rejects.toThrow(
      "adapter_config.json is missing",
    );
    await saveAdapters(folder, lora(llama, { targets: ["q_proj", "v_proj"] }, random.key(1)));
    const wide = newModel({ ...llama.options, width: 16 }, random.key(1));
    await expect(loadAdapters(folder, wide)).rejects.toThrow(
      "has shape [8, 8]; the model and adapter_config.json need [8, 16]. Check that the adapters belong to this model.",
    );
    const path = join(folder, "adapter_config.json");
    const written = JSON.parse(readFileSync(path, "utf8"));
    const refused = async (changes: object, why: string) => {
      writeFileSync(path, JSON.stringify({ ...written, ...changes }));
      await expect(loadAdapters(folder, llama)).rejects.toThrow(why);
    };
    await refused({ target_modules: ["q_proj"] }, 'v_proj.lora_A.weight" is not an adapter');
    await refused(
      { target_modules: ["q_proj", "k_proj", "v_proj"] },
      'k_proj.lora_A.weight" is missing, but adapter_config',
    );
    await refused({ target_modules: null }, "target_modules is null");
    await refused({ target_modules: "(" }, '"(" is not a valid pattern');
    await refused({ rank_pattern: { v_proj: 3 } }, "need [3, 8]");
    await refused({ peft_type: "IA3" }, 'peft_type is "IA3", which is not supported: use "LORA".');
    await refused({ use_dora: true }, "use_dora is true, which is not supported");
    await refused({ modules_to_save: ["lm_head"] }, 'modules_to_save is ["lm_head"], which is not supported');
    await refused({ bias: "all" }, 'bias is "all", which is not supported');
    await refused({ init_lora_weights: "pissa" }, 'init_lora_weights is "pissa", which is not supported');
    await refused({ r: undefined }, "r and lora_alpha must be numbers");
    await refused({ lora_alpha: 0 }, "the alpha is 0");
    writeFileSync(path, JSON.stringify(written));
    await expect(loadAdapters(folder, gpt2)).rejects.toThrow("is not an adapter of a linear module");
    rmSync(join(folder, "adapter_model.safetensors"));
    await expect(loadAdapters(folder, llama)).rejects.toThrow("adapter_model.safetensors is missing");
  });
});
