import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";
import { refuseUnknown } from "./config-fields.ts";
import type { HubConfig } from "./hub-config.ts";

/** Families whose layout is Llama's, what sets them apart, and the fields that they alone have. */
const llamas: {
  readonly [type: string]: { readonly options: Partial<GptOptions>; readonly fields: readonly string[] };
} = {
  llama: { options: {}, fields: ["attention_bias", "mlp_bias"] },
  mistral: { options: {}, fields: ["sliding_window"] },
  qwen2: { options: { bias: true, outputBias: false }, fields: ["use_sliding_window", "sliding_window"] },
  qwen3: {
    options: { normaliseHeads: true },
    fields: ["attention_bias", "use_sliding_window", "sliding_window"],
  },
};

/** The decoder that a `config.json` describes. What it says and is not understood here is refused by name. */
export function optionsOf(config: HubConfig, source = "config.json"): GptOptions {
  const shape = config.model_type === "gpt2" ? gpt2Of(config, source) : llamaOf(config, source);
  return { ...shape, ...(config.is_causal === false ? { causal: false } : {}) };
}

/** The first of some fields that is a number, or, unless it may be any, a size: from 1 and whole. */
function number(config: HubConfig, source: string, names: readonly string[], any = false): number {
  const name = names.find((n) => typeof config[n] === "number");
  if (name === undefined)
    return fail(source, `it has no number ${names[0]}. Is it the configuration of a language model?`);
  const value = config[name] as number;
  if (any ? !(value > 0) : !(Number.isInteger(value) && value >= 1))
    fail(source, `${name} is ${value}; it must be a ${any ? "number above 0" : "whole number from 1"}.`);
  return value;
}

function gpt2Of(config: HubConfig, source: string): GptOptions {
  const size = (...names: string[]) => number(config, source, names);
  expect(config, "activation_function", ["gelu_new", "gelu_pytorch_tanh"], source);
  const names = [
    "vocab_size",
    "n_positions",
    "n_ctx",
    "max_position_embeddings",
    "n_layer",
    "num_hidden_layers",
  ];
  const more = ["n_embd", "hidden_size", "n_head", "num_attention_heads", "layer_norm_epsilon", "n_inner"];
  refuseUnknown(config, [...names, ...more, "activation_function", "tie_word_embeddings"], source);
  return {
    style: "gpt2",
    vocabulary: size("vocab_size"),
    context: size("n_positions", "max_position_embeddings", "n_ctx"),
    layers: size("n_layer", "num_hidden_layers"),
    width: size("n_embd", "hidden_size"),
    heads: size("n_head", "num_attention_heads"),
    epsilon: number(config, source, ["layer_norm_epsilon"], true),
    ...(typeof config.n_inner === "number" ? { hidden: size("n_inner") } : {}),
    tied: config.tie_word_embeddings !== false,
  };
}

function llamaOf(config: HubConfig, source: string): GptOptions {
  const type = config.model_type;
  if (!Object.hasOwn(llamas, type))
    fail(
      source,
      `models of type "${type}" are not known. Known are gpt2, ${Object.keys(llamas).join(", ")}.`,
    );
  const { options, fields } = llamas[type];
  const size = (...names: string[]) => number(config, source, names);
  expect(config, "hidden_act", ["silu", "swish"], source);
  const sizes = [
    "vocab_size",
    "max_position_embeddings",
    "num_hidden_layers",
    "hidden_size",
    "intermediate_size",
  ];
  const heads = [
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "layer_types",
    "max_window_layers",
  ];
  const rotation = ["rope_theta", "rope_scaling", "rope_parameters"];
  const rest = ["hidden_act", "rms_norm_eps", "tie_word_embeddings"];
  refuseUnknown(config, [...sizes, ...heads, ...rotation, ...rest, ...fields], source);
  const [width, queries, context] = [
    size("hidden_size"),
    size("num_attention_heads"),
    size("max_position_embeddings"),
  ];
  checkWindow(config, context, source);
  const biased = fields.includes("attention_bias") && config.attention_bias === true;
  return {
    style: "llama",
    vocabulary: size("vocab_size"),
    context,
    layers: size("num_hidden_layers"),
    width,
    heads: queries,
    keyHeads: typeof config.num_key_value_heads === "number" ? size("num_key_value_heads") : queries,
    headWidth: typeof config.head_dim === "number" ? size("head_dim") : width / queries,
    hidden: size("intermediate_size"),
    epsilon: number(config, source, ["rms_norm_eps"], true),
    rotary: { base: rotaryBase(config, source) },
    tied: config.tie_word_embeddings === true,
    bias: biased,
    outputBias: biased,
    ...(config.mlp_bias === true ? { hiddenBias: true } : {}),
    ...options,
  };
}

/** Attention that sees only the last positions is not supported; where it sees at least the context it is the same. */
function checkWindow(config: HubConfig, context: number, source: string): void {
  const kinds = (config.layer_types ?? []) as readonly unknown[];
  const sliding = kinds.find((k) => k !== "full_attention");
  const mistral = config.model_type === "mistral";
  // Mistral slides unless it is told not to, the others only if they are told to.
  const window = mistral
    ? config.sliding_window === undefined
      ? 4096
      : config.sliding_window
    : config.use_sliding_window === true
      ? config.sliding_window
      : null;
  if (sliding !== undefined)
    fail(source, `layer_types has ${JSON.stringify(sliding)}; only "full_attention" is supported.`);
  if (typeof window === "number" && window < context)
    fail(
      source,
      `its attention slides over ${window} positions, which is not supported. Set sliding_window to null for prompts up to that length.`,
    );
}

/** The rotation's base, in either of its two spellings. */
function rotaryBase(config: HubConfig, source: string): number {
  let base: unknown = config.rope_theta ?? 10000;
  for (const field of ["rope_scaling", "rope_parameters"]) {
    const nested = (config[field] ?? {}) as { [name: string]: unknown };
    const kind = nested.rope_type ?? nested.type ?? "default";
    if (kind !== "default")
      fail(
        source,
        `its rotary embeddings are scaled by "${kind}", which is not supported; only "default" is.`,
      );
    const { rope_theta: own, rope_type: _, type: __, ...more } = nested;
    const odd = Object.keys(more).find(
      (name) => more[name] !== null && !(name === "partial_rotary_factor" && more[name] === 1),
    );
    if (odd !== undefined)
      fail(
        source,
        `${field} has ${odd}: ${JSON.stringify(more[odd])}, which is not known where nothing is scaled. Remove it.`,
      );
    base = own ?? base;
  }
  return typeof base === "number" && base > 0
    ? base
    : fail(source, `rope_theta is ${JSON.stringify(base)}; it must be a number above 0.`);
}

function expect(config: HubConfig, field: string, known: readonly unknown[], source: string): void {
  if (config[field] !== undefined && !known.includes(config[field]))
    fail(
      source,
      `${field} is ${JSON.stringify(config[field])}; only ${known.map((k) => JSON.stringify(k)).join(" and ")} is supported.`,
    );
}
