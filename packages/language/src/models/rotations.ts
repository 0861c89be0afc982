import { fail } from "@reins/core";
import type { RotaryOptions } from "@reins/nn";
import { real } from "@reins/tensor";
import type { HubConfig } from "./hub-config.ts";

/**
 * Rotary embeddings of a configuration, by kind of layer where they differ, and the maximum length for which they
 * hold.
 */
export interface Rotations {
  readonly full: RotaryOptions;
  /** Rotary embeddings of sliding-window layers, where they differ. */
  readonly sliding?: RotaryOptions;
  /** Longer texts would have other frequencies. */
  readonly longest?: number;
}

/** Inputs of one rotary embedding. */
interface Source {
  readonly config: HubConfig;
  readonly source: string;
  /** Width of a head. */
  readonly width: number;
  readonly context: number;
}

type Fields = { readonly [name: string]: unknown };

/** Fields that every kind of scaling may have. */
const common = ["rope_type", "type", "rope_theta", "partial_rotary_factor"];

/** The fields of each kind of scaling, required ones first. */
const kinds: {
  readonly [kind: string]: { readonly needed: readonly string[]; readonly more: readonly string[] };
} = {
  default: { needed: [], more: [] },
  linear: { needed: ["factor"], more: [] },
  // Up to the context length, dynamic scaling has no effect.
  dynamic: { needed: ["factor"], more: ["original_max_position_embeddings"] },
  llama3: {
    needed: ["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"],
    more: [],
  },
  yarn: {
    needed: ["factor"],
    more: [
      "original_max_position_embeddings",
      "attention_factor",
      "beta_fast",
      "beta_slow",
      "mscale",
      "mscale_all_dim",
      "truncate",
    ],
  },
  longrope: {
    needed: ["short_factor", "long_factor"],
    more: ["factor", "attention_factor", "original_max_position_embeddings"],
  },
};

/**
 * The rotary embeddings of a configuration, in the older form (`rope_theta`, `rope_scaling`) or the newer
 * (`rope_parameters`).
 */
export function rotationsOf(config: HubConfig, width: number, context: number, source: string): Rotations {
  const from = { config, source, width, context };
  // Where both are present, libraries of any version use the older form.
  const given = (config.rope_scaling ?? config.rope_parameters ?? {}) as Fields;
  // Where layers differ, each kind has its own entry.
  const byKind = (given.full_attention ?? given.sliding_attention) as Fields | undefined;
  if (byKind) {
    const {
      full_attention: full = {},
      sliding_attention: sliding,
      ...rest
    } = given as { [kind: string]: Fields };
    const odd = Object.keys(rest)[0];
    if (odd !== undefined) fail(source, `rope_parameters has ${odd}, which is not a known kind of layer.`);
    return { ...rotationOf(full, from), ...(sliding ? { sliding: rotationOf(sliding, from).full } : {}) };
  }
  const local = config.rope_local_base_freq ?? (config.model_type === "gemma3_text" ? 10_000 : undefined);
  return {
    ...rotationOf(given, from),
    ...(typeof local === "number" ? { sliding: { base: local } } : {}),
  };
}

function rotationOf(given: Fields, from: Source): { full: RotaryOptions; longest?: number } {
  const { config, source, width, context } = from;
  const kind = String(given.rope_type ?? given.type ?? "default");
  if (!Object.hasOwn(kinds, kind))
    fail(
      source,
      `rope scaling of type "${kind}" is not supported. Supported types: ${Object.keys(kinds).join(", ")}.`,
    );
  const { needed, more } = kinds[kind];
  const odd = Object.keys(given).find(
    (name) => given[name] !== null && ![...common, ...needed, ...more].includes(name),
  );
  if (odd !== undefined)
    fail(
      source,
      `rope scaling of type "${kind}" has an unknown field ${odd}: ${JSON.stringify(given[odd])}. Remove it.`,
    );
  const missing = needed.find((name) => given[name] === undefined);
  if (missing !== undefined) fail(source, `rope scaling of type "${kind}" needs ${missing}.`);
  const newer = (config.rope_parameters ?? {}) as Fields;
  const base = positive(
    given.rope_theta ?? config.rope_theta ?? newer.rope_theta ?? 10_000,
    "rope_theta",
    source,
  );
  const part = positive(
    given.partial_rotary_factor ?? config.partial_rotary_factor ?? 1,
    "partial_rotary_factor",
    source,
  );
  // The library ignores this field for the other families.
  if (part !== 1 && config.model_type !== "phi3")
    fail(
      source,
      `partial_rotary_factor is ${part}; only 1 is supported for models of type ${config.model_type}.`,
    );
  const turned = Math.floor(width * part);
  if (part > 1 || turned % 2)
    fail(
      source,
      `partial_rotary_factor is ${part}; it must select an even number of the ${width} elements of a head.`,
    );
  if ((kind === "default" || kind === "dynamic") && part === 1)
    return { full: { base }, ...(kind === "dynamic" ? { longest: context } : {}) };
  const plain = Array.from({ length: turned / 2 }, (_, i) => real.pow(base, (-2 * i) / turned));
  const number = (name: string, otherwise?: number) => positive(given[name] ?? otherwise, name, source);
  switch (kind) {
    case "linear":
      return { full: { base, frequencies: plain.map((f) => f / number("factor")) } };
    case "llama3":
      return { full: { base, frequencies: plain.map(llama3(number)) } };
    case "yarn":
      return { full: { base, ...yarn(plain, base, given, number, context) } };
    case "longrope":
      return longrope(plain, base, given, from);
    default:
      return { full: { base, frequencies: plain }, ...(kind === "dynamic" ? { longest: context } : {}) };
  }
}

type Numbers = (name: string, otherwise?: number) => number;

/** Lower low frequencies, keep high ones, and interpolate between them (Llama 3.1). */
function llama3(number: Numbers): (frequency: number) => number {
  const [factor, low, high] = ["factor", "low_freq_factor", "high_freq_factor"].map((n) => number(n));
  const context = number("original_max_position_embeddings");
  return (f) => {
    const turns = (context * f) / (2 * Math.PI);
    if (turns < low) return f / factor;
    if (turns > high) return f;
    const share = (turns - low) / (high - low);
    return ((1 - share) * f) / factor + share * f;
  };
}

/** YaRN: a ramp over pairs, and a scale that sharpens attention (Peng et al., 2023). */
function yarn(plain: readonly number[], base: number, given: Fields, number: Numbers, context: number) {
  const factor = number("factor");
  const original = number("original_max_position_embeddings", context);
  const width = 2 * plain.length;
  /** The pair with this number of rotations within the original context. */
  const pair = (turns: number) => (width * real.log(original / (turns * 2 * Math.PI))) / (2 * real.log(base));
  const [first, last] = [pair(number("beta_fast", 32)), pair(number("beta_slow", 1))];
  const whole = given.truncate !== false;
  const low = Math.max(whole ? Math.floor(first) : first, 0);
  const high = Math.min(whole ? Math.ceil(last) : last, width - 1);
  const ramp = (i: number) => Math.min(1, Math.max(0, (i - low) / (high === low ? 0.001 : high - low)));
  const sharper = (by: number) => (factor <= 1 ? 1 : 0.1 * by * real.log(factor) + 1);
  const scale =
    typeof given.attention_factor === "number"
      ? given.attention_factor
      : given.mscale && given.mscale_all_dim
        ? sharper(number("mscale")) / sharper(number("mscale_all_dim"))
        : sharper(1);
  return { frequencies: plain.map((f, i) => (f / factor) * ramp(i) + f * (1 - ramp(i))), scale };
}

/**
 * LongRoPE: a factor for each pair, with other factors beyond the original context (Ding et al., 2024). The length of
 * a text is known only at its end, so texts are limited to the original context.
 */
function longrope(plain: readonly number[], base: number, given: Fields, from: Source) {
  const { config, source, context } = from;
  const short = given.short_factor;
  if (!Array.isArray(short) || short.length !== plain.length || !short.every((f) => f > 0))
    return fail(source, `short_factor must have ${plain.length} positive numbers, one for each rotary pair.`);
  const original = positive(
    given.original_max_position_embeddings ?? config.original_max_position_embeddings ?? context,
    "original_max_position_embeddings",
    source,
  );
  const stated = config.original_max_position_embeddings ?? given.original_max_position_embeddings;
  const factor = stated === undefined ? Number(given.factor ?? 1) : context / original;
  const scale =
    typeof given.attention_factor === "number"
      ? given.attention_factor
      : factor <= 1
        ? 1
        : Math.sqrt(1 + real.log(factor) / real.log(original));
  return { full: { base, frequencies: plain.map((f, i) => f / short[i]), scale }, longest: original };
}

function positive(value: unknown, name: string, source: string): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value)
    ? value
    : fail(source, `${name} is ${JSON.stringify(value)}; it must be a number above 0.`);
}
