import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GptOptions, loadSafetensors, saveSafetensors } from "@reins/nn";
import { random, tensor } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { optionsFromConfig } from "./config.ts";
import { loadModel, saveModel } from "./folder.ts";
import type { HubConfig } from "./hub-config.ts";
import { newModel } from "./language-model.ts";
import { configFromOptions } from "./own-config.ts";
import { saveReward } from "./reward-folder.ts";
import { rewardHead } from "./reward-model.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "reins-refused-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const configs = Object.fromEntries(
  ["gpt2", "llama", "llama-biases", "qwen2", "qwen3"].map((name) => [
    name,
    JSON.parse(readFileSync(join(root, "hf", name, "config.json"), "utf8")) as HubConfig,
  ]),
);
const mistral = { ...configs.llama, model_type: "mistral", mlp_bias: undefined, attention_bias: undefined };

describe("an unsupported configuration is rejected by the field's name", () => {
  it.each<[string, HubConfig, string]>([
    [
      "unscaled scores",
      { ...configs.gpt2, scale_attn_weights: false },
      "scale_attn_weights is false; only true",
    ],
    [
      "scores scaled by the layer",
      { ...configs.gpt2, scale_attn_by_inverse_layer_idx: true },
      "scale_attn_by_inverse_layer_idx is true; only false",
    ],
    ["cross-attention", { ...configs.gpt2, add_cross_attention: true }, "add_cross_attention is true"],
    ["another activation", { ...configs.gpt2, activation_function: "gelu" }, 'activation_function is "gelu"'],
    [
      "soft caps",
      { ...configs.llama, final_logit_softcapping: 30 },
      "unknown field final_logit_softcapping (30)",
    ],
    ["multipliers", { ...configs.llama, residual_multiplier: 0.2 }, "residual_multiplier (0.2)"],
    [
      "quantisation",
      { ...configs.llama, quantization_config: { bits: 4 } },
      'quantization_config ({"bits":4})',
    ],
    [
      "a partial rotation",
      { ...configs.llama, partial_rotary_factor: 0.5 },
      "partial_rotary_factor is 0.5; only 1",
    ],
    [
      "biases that Mistral lacks",
      { ...mistral, attention_bias: true },
      "unknown field attention_bias (true)",
    ],
    ["biases that Qwen lacks", { ...configs.qwen2, mlp_bias: true }, "unknown field mlp_bias (true)"],
    [
      "a window without a width",
      { ...configs.qwen3, layer_types: ["full_attention", "sliding_attention"] },
      "layer_types gives layer 1 a sliding window, but sliding_window is not a number",
    ],
    [
      "another kind of attention",
      { ...configs.qwen3, layer_types: ["full_attention", "linear_attention"] },
      'layer_types has "linear_attention"',
    ],
    [
      "unlisted layers",
      { ...configs.qwen3, layer_types: ["full_attention"] },
      "one entry for each of the 2 layers",
    ],
    ["half a position", { ...mistral, sliding_window: 2.5 }, "sliding_window is 2.5"],
    [
      "another scaling",
      { ...configs.llama, rope_scaling: { type: "mrope" } },
      'rope scaling of type "mrope"',
    ],
    [
      "scaling without its numbers",
      { ...configs.llama, rope_scaling: { rope_type: "llama3", factor: 8 } },
      'rope scaling of type "llama3" needs low_freq_factor',
    ],
    [
      "a number that belongs to another scaling",
      { ...configs.llama, rope_scaling: { type: "linear", factor: 2, beta_fast: 3 } },
      'rope scaling of type "linear" has an unknown field beta_fast: 3',
    ],
    [
      "half a rotation",
      { ...configs.llama, rope_parameters: { rope_theta: 1e4, partial_rotary_factor: 0.5 } },
      "partial_rotary_factor is 0.5; only 1",
    ],
    ["experts", { ...configs.llama, model_type: "mixtral" }, "its layers are mixtures of experts"],
    ["images", { ...configs.llama, model_type: "qwen2_5_vl" }, "it is multimodal"],
    [
      "no layers",
      { ...configs.llama, num_hidden_layers: 0 },
      "num_hidden_layers is 0; it must be a positive integer",
    ],
    ["half a head", { ...configs.gpt2, n_head: 2.5 }, "n_head is 2.5"],
  ])("%s", (_, config, why) => {
    expect(() => optionsFromConfig(config)).toThrow(why);
  });

  it("but not for fields that change nothing", () => {
    const notes = {
      _name_or_path: "x",
      torch_dtype: "bfloat16",
      use_mrope: false,
      quantization_config: null,
      top_k: 20,
    };
    for (const config of [...Object.values(configs), mistral])
      expect(() => optionsFromConfig({ ...config, ...notes })).not.toThrow();
    // A window that is unused or wider than the context.
    expect(() =>
      optionsFromConfig({ ...configs.qwen2, use_sliding_window: false, sliding_window: 8 }),
    ).not.toThrow();
    expect(() =>
      optionsFromConfig({ ...mistral, max_position_embeddings: 8192, sliding_window: null }),
    ).not.toThrow();
  });
});

describe("a checkpoint whose tensors do not match its configuration", () => {
  /** A copy of a fixture with some fields and tensors changed. */
  async function changed(
    name: string,
    fields: object,
    tensors: Record<string, number[][] | null> = {},
  ): Promise<string> {
    const folder = mkdtempSync(join(temporary, "model-"));
    cpSync(join(root, "hf", name), folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), JSON.stringify({ ...configs[name], ...fields }));
    const file = join(folder, "model.safetensors");
    const all = new Map((await loadSafetensors(file)).tensors);
    for (const [n, values] of Object.entries(tensors))
      if (values) all.set(n, tensor(values));
      else all.delete(n);
    await saveSafetensors(file, all);
    return folder;
  }

  it("is rejected by a tensor's name: fewer layers, undeclared biases and norms", async () => {
    const refused = async (folder: Promise<string>, why: string) => {
      await expect(loadModel(await folder)).rejects.toThrow(why);
    };
    await refused(
      changed("gpt2", { n_layer: 1 }),
      'config.json does not describe 12 of its tensors, such as "transformer.h.1.',
    );
    await refused(changed("llama", { num_hidden_layers: 2 }), 'such as "model.layers.2.');
    await refused(
      changed("llama-biases", { mlp_bias: false }),
      '6 of its tensors, such as "model.layers.0.mlp.',
    );
    await refused(
      changed("llama-biases", { attention_bias: false }),
      '8 of its tensors, such as "model.layers.0.self_attn.',
    );
    await refused(
      changed("llama", {}, { "model.norm.bias": [[1]] }),
      'the tensor "model.norm.bias": ignoring it',
    );
    await refused(changed("llama", { num_hidden_layers: 1e9 }), "too few for the 1000000000 layers");
    await refused(changed("llama", {}, { "lm_head.weight": null }), 'tensor "lm_head.weight" is missing');
    await refused(
      changed("llama", { tie_word_embeddings: true }),
      "lm_head.weight differs from the token embedding",
    );
  });

  it("may contain computed masks and frequencies", async () => {
    const folder = await changed(
      "gpt2",
      {},
      { "transformer.h.0.attn.bias": [[1]], "h.1.attn.masked_bias": [[-1e4]] },
    );
    expect((await loadModel(folder)).options.layers).toBe(2);
    const angles = await changed("llama", {}, { "model.layers.0.self_attn.rotary_emb.inv_freq": [[1]] });
    expect((await loadModel(angles)).options.layers).toBe(3);
  });

  it("is rejected as a causal language model if it has a score head", async () => {
    const folder = join(temporary, "score");
    const shape = { layers: 1, width: 8, heads: 2, context: 6, vocabulary: 11, style: "llama" } as const;
    await saveReward(folder, rewardHead(newModel(shape, random.key(1)), random.key(2)));
    await expect(loadModel(folder)).rejects.toThrow("Check that this is a causal language model.");
  });
});

describe("a saved configuration", () => {
  const tiny = { layers: 1, width: 8, heads: 2, context: 6, vocabulary: 11 } as const;
  const llama = { ...tiny, style: "llama" } as const;
  it.each<[string, GptOptions]>([
    ["llama", { ...llama, bias: true, outputBias: true }],
    ["llama", { ...llama, hiddenBias: true }],
    ["qwen2", { ...llama, bias: true }],
    ["qwen3", { ...llama, normaliseHeads: true, bias: true, outputBias: true, epsilon: 0.1 }],
  ])(
    "has type %s where that family represents it, and round-trips bit for bit: %o",
    async (type, options) => {
      const folder = mkdtempSync(join(temporary, "saved-"));
      const before = newModel(options, random.key(3));
      await saveModel(folder, before);
      const after = await loadModel(folder);
      expect(after.config!.model_type).toBe(type);
      const tokens = tensor([[1, 5, 2, 9]], { dtype: "i32" });
      expect(after.model.apply(after.params, tokens).data).toEqual(
        before.model.apply(before.params, tokens).data,
      );
    },
  );

  it.each<[string, GptOptions]>([
    ["bias", { ...tiny, bias: false }],
    ["keyHeads", { ...tiny, keyHeads: 1 }],
    ["rotary", { ...tiny, rotary: {} }],
    ["learnedPositions", { ...tiny, learnedPositions: false }],
    ["learnedPositions", { ...llama, learnedPositions: true }],
    ["hiddenBias", { ...llama, normaliseHeads: true, hiddenBias: true }],
    ["outputBias", { ...llama, outputBias: true }],
    ["outputBias", { ...llama, normaliseHeads: true, bias: true }],
  ])("is rejected where no family represents it: %s", (option, options) => {
    expect(() => configFromOptions(options)).toThrow(`model with this ${option}, so it cannot be saved`);
  });
});
