import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";
import { architectureOf } from "./families.ts";
import type { HubConfig } from "./hub-config.ts";

/** Options that only models from files have; their own configuration defines the combination. */
const unwritten = [
  "perLayer",
  "window",
  "scoreScale",
  "scoreCap",
  "logitCap",
  "tokenScale",
  "norms",
  "normsFromOne",
  "gate",
] as const;

/** The `config.json` of a new decoder. Decoders that no Hugging Face family can represent are rejected. */
export function configFromOptions(o: GptOptions): HubConfig {
  const llama = o.style === "llama";
  const odd =
    (o.learnedPositions ?? !llama) === llama
      ? "learnedPositions"
      : o.rotary && (o.rotary.frequencies || o.rotary.scale !== undefined)
        ? "rotary"
        : unwritten.find((name) => o[name] !== undefined);
  if (odd !== undefined) cannot(odd, llama ? "llama" : "gpt2");
  return { ...(llama ? llamaConfig(o) : gpt2Config(o)), ...(o.causal === false ? { is_causal: false } : {}) };
}

const cannot = (option: string, style: string) =>
  fail(
    "saveModel",
    `no Hugging Face family represents a ${style} model with this ${option}, so it cannot be saved in that format.`,
  );

function gpt2Config(o: GptOptions): HubConfig {
  const { bias = true, outputBias = bias, hiddenBias = true, keyHeads = o.heads } = o;
  if (!bias || !outputBias) cannot("bias", "gpt2");
  if (!hiddenBias) cannot("hiddenBias", "gpt2");
  if (keyHeads !== o.heads) cannot("keyHeads", "gpt2");
  if (o.headWidth !== undefined && o.headWidth * o.heads !== o.width) cannot("headWidth", "gpt2");
  if (o.normaliseHeads) cannot("normaliseHeads", "gpt2");
  if (o.rotary) cannot("rotary", "gpt2");
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
    tie_word_embeddings: o.tied ?? true,
  };
}

/** The family with a model's biases and norms. */
function familyOf({
  normaliseHeads,
  bias = false,
  outputBias = false,
  hiddenBias = false,
}: GptOptions): "qwen3" | "qwen2" | "llama" {
  const even = bias === outputBias;
  if (normaliseHeads === "together") cannot("normaliseHeads", "llama");
  const type = normaliseHeads ? "qwen3" : even ? "llama" : "qwen2";
  if (type === "qwen3" && !even) cannot("outputBias", "llama");
  if (type === "qwen2" && !bias) cannot("outputBias", "llama");
  if (type !== "llama" && hiddenBias) cannot("hiddenBias", "llama");
  return type;
}

function llamaConfig(o: GptOptions): HubConfig {
  if (o.rotary === false) cannot("rotary", "llama");
  const type = familyOf(o);
  const base = (o.rotary || undefined)?.base ?? 10000;
  return {
    model_type: type,
    architectures: [architectureOf(type)],
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
    // Both spellings: readers of different versions use different ones.
    rope_theta: base,
    rope_parameters: { rope_theta: base, rope_type: "default" },
    tie_word_embeddings: o.tied ?? false,
    ...(type === "qwen2" ? {} : { attention_bias: o.bias ?? false }),
    ...(type === "llama" ? { mlp_bias: o.hiddenBias ?? false } : {}),
  };
}
