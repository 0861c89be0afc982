import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";
import { refuseUnknown } from "./config-fields.ts";
import { activationsOf, modelFamilies } from "./families.ts";
import type { HubConfig } from "./hub-config.ts";
import { layersOf } from "./layer-kinds.ts";
import { rotationsOf } from "./rotations.ts";

/** The decoder that a `config.json` describes. Unsupported fields are rejected by name. */
export function optionsFromConfig(config: HubConfig, source = "config.json"): GptOptions {
  const shape = config.model_type === "gpt2" ? gpt2Of(config, source) : llamaOf(config, source);
  return { ...shape, ...(config.is_causal === false ? { causal: false } : {}) };
}

/** The first of the named fields that is a number; a positive integer unless `any`. */
function number(config: HubConfig, source: string, names: readonly string[], any = false): number {
  const name = names.find((n) => typeof config[n] === "number");
  if (name === undefined)
    return fail(
      source,
      `${names[0]} must be a number. Check that this is the configuration of a language model.`,
    );
  const value = config[name] as number;
  if (any ? !(value > 0 && Number.isFinite(value)) : !(Number.isInteger(value) && value >= 1))
    fail(source, `${name} is ${value}; it must be a ${any ? "number above 0" : "positive integer"}.`);
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
  if (!Object.hasOwn(modelFamilies, type)) refuseType(type, source);
  const family = modelFamilies[type];
  const { options, fields = [], tied = false, derive } = family;
  const size = (...names: string[]) => number(config, source, names);
  const activation = typeof config.hidden_activation === "string" ? "hidden_activation" : "hidden_act";
  expect(config, activation, activationsOf(family), source);
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
  const rotation = ["rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor"];
  const rest = ["hidden_act", "rms_norm_eps", "tie_word_embeddings"];
  refuseUnknown(config, [...sizes, ...heads, ...rotation, ...rest, ...fields], source);
  const [width, queries, context] = [
    size("hidden_size"),
    size("num_attention_heads"),
    size("max_position_embeddings"),
  ];
  const biased = fields.includes("attention_bias") && config.attention_bias === true;
  const shape = {
    style: "llama" as const,
    vocabulary: size("vocab_size"),
    context,
    layers: size("num_hidden_layers"),
    width,
    heads: queries,
    keyHeads: typeof config.num_key_value_heads === "number" ? size("num_key_value_heads") : queries,
    headWidth: typeof config.head_dim === "number" ? size("head_dim") : width / queries,
    hidden: size("intermediate_size"),
    epsilon: number(config, source, ["rms_norm_eps"], true),
    tied: (config.tie_word_embeddings ?? tied) === true,
    bias: biased,
    outputBias: biased,
    ...(config.mlp_bias === true ? { hiddenBias: true } : {}),
    ...options,
    ...derive?.(config),
  };
  const rotations = rotationsOf(config, shape.headWidth, context, source);
  return {
    ...shape,
    context: Math.min(context, rotations.longest ?? context),
    ...layersOf(config, family, rotations, source),
  };
}

/** Why model types with these words in their names are rejected. */
const refused: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/moe|mixtral|dbrx|deepseek|gpt_oss|olmoe|jamba/, "its layers are mixtures of experts"],
  [/mamba|rwkv|falcon_h1|recurrent|zamba|bamba/, "it has recurrent layers"],
  [/_vl|vision|llava|^gemma3$|^gemma3n|pixtral|idefics|mllama|^llama4$|^mistral3$/, "it is multimodal"],
  [/bert|^t5|bart|whisper/, "it is not a decoder"],
];

function refuseType(type: string, source: string): never {
  const why = refused.find(([pattern]) => pattern.test(type))?.[1];
  return fail(
    source,
    `models of type "${type}" are not supported${why ? `: ${why}` : ""}. Supported types: gpt2, ${Object.keys(modelFamilies).join(", ")}.`,
  );
}

function expect(config: HubConfig, field: string, known: readonly unknown[], source: string): void {
  if (config[field] !== undefined && !known.includes(config[field]))
    fail(
      source,
      `${field} is ${JSON.stringify(config[field])}; only ${known.map((k) => JSON.stringify(k)).join(" and ")} is supported.`,
    );
}
