import type { GptOptions } from "@reins/nn";
import type { HubConfig } from "./hub-config.ts";

/** A model family with a layout close to Llama's: its differences, and the fields that only it has. */
export interface ModelFamily {
  /** The class in the Hugging Face library. */
  readonly architecture: string;
  readonly options?: Partial<GptOptions>;
  readonly fields?: readonly string[];
  /** Activations of hidden layers, in the names that configurations use. */
  readonly activations?: readonly string[];
  /** Whether output layer and embedding are tied where the configuration has no field for it. */
  readonly tied?: boolean;
  /**
   * Which layers use sliding-window attention where the configuration does not list them (default: all, if there is a
   * window).
   */
  readonly slides?: (layer: number, config: HubConfig) => boolean;
  /** The window where the configuration has none (default: none). */
  readonly window?: number;
  /** Which layers use rotary embeddings (default: all). */
  readonly turns?: (layer: number, config: HubConfig) => boolean;
  /** Whether projections are fused in its files: query, key and value; gate and up. */
  readonly fused?: boolean;
  /** Further options derived from its configuration. */
  readonly derive?: (config: HubConfig) => Partial<GptOptions>;
}

const silu = ["silu", "swish"];
const gelu = ["gelu_pytorch_tanh", "gelu_new"];
const gemma: Partial<GptOptions> = { normsFromOne: true, gate: "gelu" };
const gemmaFields = ["attention_bias", "hidden_activation", "use_bidirectional_attention"];
const capped = ["query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping"];

/** Gemma scales embeddings by the square root of the width; later versions scale and cap attention scores. */
const gemmaOf = (config: HubConfig): Partial<GptOptions> => ({
  tokenScale: Math.sqrt(config.hidden_size as number),
  ...(config.head_dim === undefined ? { headWidth: 256 } : {}),
  ...(typeof config.query_pre_attn_scalar === "number"
    ? { scoreScale: config.query_pre_attn_scalar ** -0.5 }
    : {}),
  ...(typeof config.attn_logit_softcapping === "number" ? { scoreCap: config.attn_logit_softcapping } : {}),
  ...(typeof config.final_logit_softcapping === "number" ? { logitCap: config.final_logit_softcapping } : {}),
});

/** Defaults of the library for numbers that a configuration may omit. */
const orElse = (config: HubConfig, fields: { readonly [name: string]: unknown }): HubConfig => ({
  ...fields,
  ...Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)),
  model_type: config.model_type,
});

/** Qwen uses the window only if enabled, and only in later layers. */
function lateLayers(layer: number, config: HubConfig): boolean {
  return config.use_sliding_window === true && layer >= Number(config.max_window_layers ?? 28);
}

/** SmolLM 3 omits positions in every fourth layer, or where its list has a 0. */
function turnsAt(layer: number, config: HubConfig): boolean {
  const listed = config.no_rope_layers as readonly number[] | undefined;
  return listed ? Boolean(listed[layer]) : (layer + 1) % Number(config.no_rope_layer_interval ?? 4) !== 0;
}

/** Families by the `model_type` of `config.json`. */
export const modelFamilies: { readonly [type: string]: ModelFamily } = {
  llama: { architecture: "LlamaForCausalLM", fields: ["attention_bias", "mlp_bias"] },
  mistral: { architecture: "MistralForCausalLM", fields: ["sliding_window"], window: 4096 },
  qwen2: {
    architecture: "Qwen2ForCausalLM",
    options: { bias: true, outputBias: false },
    fields: ["use_sliding_window", "sliding_window"],
    slides: lateLayers,
  },
  qwen3: {
    architecture: "Qwen3ForCausalLM",
    options: { normaliseHeads: true },
    fields: ["attention_bias", "use_sliding_window", "sliding_window"],
    slides: lateLayers,
  },
  gemma: {
    architecture: "GemmaForCausalLM",
    options: gemma,
    fields: gemmaFields,
    activations: gelu,
    tied: true,
    derive: gemmaOf,
  },
  gemma2: {
    architecture: "Gemma2ForCausalLM",
    options: { ...gemma, norms: "both" },
    fields: [...gemmaFields, ...capped, "sliding_window"],
    activations: gelu,
    tied: true,
    slides: (layer) => layer % 2 === 0,
    window: 4096,
    derive: (config) =>
      gemmaOf(
        orElse(config, {
          query_pre_attn_scalar: 256,
          attn_logit_softcapping: 50,
          final_logit_softcapping: 30,
        }),
      ),
  },
  gemma3_text: {
    architecture: "Gemma3ForCausalLM",
    options: { ...gemma, norms: "both", normaliseHeads: true },
    fields: [...gemmaFields, ...capped, "sliding_window", "sliding_window_pattern", "rope_local_base_freq"],
    activations: gelu,
    tied: true,
    slides: (layer, config) => (layer + 1) % Number(config.sliding_window_pattern ?? 6) !== 0,
    window: 4096,
    derive: (config) => gemmaOf(orElse(config, { query_pre_attn_scalar: 256 })),
  },
  phi3: {
    architecture: "Phi3ForCausalLM",
    fields: ["sliding_window", "original_max_position_embeddings"],
    fused: true,
  },
  smollm3: {
    architecture: "SmolLM3ForCausalLM",
    fields: [
      "attention_bias",
      "mlp_bias",
      "use_sliding_window",
      "sliding_window",
      "no_rope_layers",
      "no_rope_layer_interval",
    ],
    tied: true,
    slides: (layer, config) => config.use_sliding_window === true && !turnsAt(layer, config),
    turns: turnsAt,
  },
  olmo2: {
    architecture: "Olmo2ForCausalLM",
    options: { norms: "after", normaliseHeads: "together" },
    fields: ["attention_bias"],
  },
};

/** The class of the Hugging Face library for a model type. */
export const architectureOf = (type: string): string =>
  Object.hasOwn(modelFamilies, type) ? modelFamilies[type].architecture : "GPT2LMHeadModel";

/** The activations of a family's hidden layers. */
export const activationsOf = ({ activations = silu }: ModelFamily): readonly string[] => activations;
