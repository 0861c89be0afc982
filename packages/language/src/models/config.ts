import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";

/** What `config.json` of a Hugging Face folder says; other fields are kept as they are. */
export interface HubConfig {
  readonly model_type: string;
  readonly [field: string]: unknown;
}

/** Families whose layout is Llama's, and what sets them apart. */
const llamas: { readonly [type: string]: Partial<GptOptions> } = {
  llama: {},
  mistral: {},
  qwen2: { bias: true },
  qwen3: { normaliseHeads: true },
};

/** The decoder that a `config.json` describes. */
export function optionsOf(config: HubConfig, source = "config.json"): GptOptions {
  return { ...shapeOf(config, source), ...(config.is_causal === false ? { causal: false } : {}) };
}

function shapeOf(config: HubConfig, source: string): GptOptions {
  const number = (...names: string[]): number => {
    for (const name of names) if (typeof config[name] === "number") return config[name];
    return fail(source, `it has no number ${names[0]}. Is it the configuration of a language model?`);
  };
  const type = config.model_type;
  if (type === "gpt2") {
    expect(config, "activation_function", ["gelu_new"], source);
    return {
      style: "gpt2",
      vocabulary: number("vocab_size"),
      context: number("n_positions", "n_ctx"),
      layers: number("n_layer"),
      width: number("n_embd"),
      heads: number("n_head"),
      epsilon: number("layer_norm_epsilon"),
      ...(typeof config.n_inner === "number" ? { hidden: config.n_inner } : {}),
      tied: config.tie_word_embeddings !== false,
    };
  }
  if (!Object.hasOwn(llamas, type))
    fail(
      source,
      `models of type "${type}" are not known. Known are gpt2, ${Object.keys(llamas).join(", ")}.`,
    );
  expect(config, "hidden_act", ["silu"], source);
  const [width, heads] = [number("hidden_size"), number("num_attention_heads")];
  const window = config.use_sliding_window === false ? null : config.sliding_window;
  const context = number("max_position_embeddings");
  if (typeof window === "number" && window < context)
    fail(
      source,
      `its attention slides over ${window} positions, which is not supported. Set sliding_window to null for prompts up to that length.`,
    );
  return {
    style: "llama",
    vocabulary: number("vocab_size"),
    context,
    layers: number("num_hidden_layers"),
    width,
    heads,
    keyHeads: typeof config.num_key_value_heads === "number" ? config.num_key_value_heads : heads,
    headWidth: typeof config.head_dim === "number" ? config.head_dim : width / heads,
    hidden: number("intermediate_size"),
    epsilon: number("rms_norm_eps"),
    rotary: { base: rotaryBase(config, source) },
    tied: config.tie_word_embeddings === true,
    ...llamas[type],
    ...(typeof config.attention_bias === "boolean" && type !== "qwen2"
      ? { bias: config.attention_bias, outputBias: config.attention_bias }
      : { outputBias: false }),
  };
}

/** The rotation's base, in either of its two spellings. */
function rotaryBase(config: HubConfig, source: string): number {
  const nested = (config.rope_parameters ?? config.rope_scaling ?? {}) as { [name: string]: unknown };
  const kind = nested.rope_type ?? nested.type ?? "default";
  if (kind !== "default")
    fail(source, `its rotary embeddings are scaled by "${kind}", which is not supported; only "default" is.`);
  const base = nested.rope_theta ?? config.rope_theta ?? 10000;
  return typeof base === "number"
    ? base
    : fail(source, `rope_theta is ${JSON.stringify(base)}; it must be a number.`);
}

function expect(config: HubConfig, field: string, known: readonly unknown[], source: string): void {
  if (config[field] !== undefined && !known.includes(config[field]))
    fail(
      source,
      `${field} is ${JSON.stringify(config[field])}; only ${known.map((k) => JSON.stringify(k)).join(" and ")} is supported.`,
    );
}

/** The `config.json` of a decoder that was made here. */
export function configOf(o: GptOptions): HubConfig {
  return { ...kindOf(o), ...(o.causal === false ? { is_causal: false } : {}) };
}

function kindOf(o: GptOptions): HubConfig {
  const tied = o.tied ?? o.style !== "llama";
  if (o.style !== "llama")
    return {
      model_type: "gpt2",
      architectures: ["GPT2LMHeadModel"],
      activation_function: "gelu_new",
      vocab_size: o.vocabulary,
      n_positions: o.context,
      n_layer: o.layers,
      n_embd: o.width,
      n_head: o.heads,
      n_inner: o.hidden ?? null,
      layer_norm_epsilon: o.epsilon ?? 1e-5,
      tie_word_embeddings: tied,
    };
  const type = o.normaliseHeads ? "qwen3" : o.bias ? "qwen2" : "llama";
  const name = { qwen3: "Qwen3ForCausalLM", qwen2: "Qwen2ForCausalLM", llama: "LlamaForCausalLM" }[type];
  const base = o.rotary?.base ?? 10000;
  return {
    model_type: type,
    architectures: [name],
    hidden_act: "silu",
    vocab_size: o.vocabulary,
    max_position_embeddings: o.context,
    num_hidden_layers: o.layers,
    hidden_size: o.width,
    num_attention_heads: o.heads,
    num_key_value_heads: o.keyHeads ?? o.heads,
    head_dim: o.headWidth ?? o.width / o.heads,
    intermediate_size: o.hidden ?? Math.ceil(o.width / 3) * 8,
    rms_norm_eps: o.epsilon ?? 1e-6,
    // Both spellings: which one is read depends on the reader's version.
    rope_theta: base,
    rope_parameters: { rope_theta: base, rope_type: "default" },
    tie_word_embeddings: tied,
    ...(type === "llama" ? { attention_bias: false, mlp_bias: false } : {}),
  };
}
