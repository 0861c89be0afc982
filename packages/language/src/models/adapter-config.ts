import { fail } from "@reins/core";
import { limited } from "../time-limit.ts";
import type { LanguageModel } from "./language-model.ts";
import type { LoraModel } from "./lora.ts";
import { endsWith, type LoraModule, loraTargets, modulesOf } from "./lora-modules.ts";
import { checkSettings, type LoraSettings, namePattern, rankOf, scaleOf } from "./lora-options.ts";

/** The contents of PEFT's `adapter_config.json`. */
export type AdapterConfig = { readonly [field: string]: unknown };

/** Fields that change what adapters compute, or train more than adapters. */
const unsupported = [
  ...["use_dora", "use_qalora", "use_bdlora", "lora_bias", "layer_replication", "alora_invocation_tokens"],
  ...["modules_to_save", "trainable_token_indices", "target_parameters", "arrow_config", "kasa_config"],
  ...["velora_config", "monteclora_config"],
];

/**
 * Initialisations that leave the base weights unchanged. Others ("pissa", "olora", "loftq" …) also change the base
 * weights.
 */
const initialisations: readonly unknown[] = [undefined, null, true, false, "gaussian", "orthogonal", "eva"];

/** The fields of an `adapter_config.json`. Unsupported ones are rejected by name. */
export function readAdapterConfig(text: string, path: string): AdapterConfig {
  let config: AdapterConfig;
  try {
    config = JSON.parse(text) as AdapterConfig;
  } catch (error) {
    return fail(path, `invalid JSON (${(error as Error).message}).`);
  }
  const refuse = (field: string, known: string): never =>
    fail(path, `${field} is ${JSON.stringify(config[field])}, which is not supported: ${known}.`);
  if (config.peft_type !== "LORA") refuse("peft_type", 'use "LORA"');
  for (const field of unsupported) {
    const value = config[field];
    if (Array.isArray(value) ? value.length : value) refuse(field, "leave it out when training with PEFT");
  }
  if (![undefined, null, "none"].includes(config.bias as string)) refuse("bias", 'use "none"');
  if (!initialisations.includes(config.init_lora_weights))
    refuse("init_lora_weights", "convert the adapters with PEFT (path_initial_model_for_weight_conversion)");
  return config;
}

/** Ranks, scales and targets of a configuration. `seconds` limits the time of its patterns. */
export function settingsFrom(
  config: AdapterConfig,
  base: LanguageModel,
  path: string,
  seconds = 10,
): LoraSettings {
  const { r: rank, lora_alpha: alpha, target_modules: targets, rank_pattern, alpha_pattern } = config;
  if (typeof rank !== "number" || typeof alpha !== "number")
    return fail(
      path,
      "r and lora_alpha must be numbers. Check that this is the adapter_config.json of PEFT LoRA adapters.",
    );
  if (typeof targets !== "string" && !Array.isArray(targets))
    fail(
      path,
      `target_modules is ${JSON.stringify(targets)}; it must be an array of module names or a pattern.`,
    );
  for (const pattern of [targets, config.exclude_modules])
    if (typeof pattern === "string") namePattern(pattern, path);
  const patterns = (value: unknown) => value as { readonly [pattern: string]: number } | null | undefined;
  const [ranks, alphas] = [patterns(rank_pattern), patterns(alpha_pattern)];
  const settings: LoraSettings = {
    rank,
    alpha,
    targets: Array.isArray(targets) ? (targets as string[]) : loraTargets(base),
    ...(ranks && Object.keys(ranks).length ? { rankPattern: ranks } : {}),
    ...(alphas && Object.keys(alphas).length ? { alphaPattern: alphas } : {}),
    ...(config.use_rslora === true ? { rankStabilised: true } : {}),
    ...(config.lora_dropout ? { dropout: config.lora_dropout as number } : {}),
  };
  checkSettings(settings, path);
  const own = [targets, config.exclude_modules].filter((p) => typeof p === "string");
  const names = modulesOf(base).map(({ name }) => name);
  // Patterns of a stranger's file can backtrack for years; those that end here end at every later use.
  limited(
    seconds * 1000,
    () => {
      for (const name of names) for (const pattern of own) namePattern(pattern, path).test(name);
      for (const module of names) [rankOf(settings, module), scaleOf(settings, module)];
    },
    () => fail(path, `its patterns of module names take more than ${seconds} s to match. Simplify them.`),
  );
  return settings;
}

/** Whether a configuration selects a module: by `target_modules`, `exclude_modules` and `layers_to_transform`. */
export function selects(config: AdapterConfig, { name, block }: LoraModule): boolean {
  const { target_modules: targets, exclude_modules: excluded, layers_to_transform: layers } = config;
  if (excluded && matches(excluded, name)) return false;
  if (Array.isArray(targets) && typeof layers === "number" && layers !== block) return false;
  if (Array.isArray(targets) && Array.isArray(layers) && layers.length && !layers.includes(block))
    return false;
  return matches(targets, name);
}

/** An array holds suffixes of names; a string is "all-linear" or a pattern of whole names. */
function matches(targets: unknown, name: string): boolean {
  if (targets === "all-linear") return true;
  if (typeof targets === "string") return namePattern(targets, "lora").test(name);
  return Array.isArray(targets) && targets.some((target) => endsWith(name, target));
}

/** The configuration of adapters: as it was read, or a new one. */
export function adapterConfigOf({ base, lora, adapterConfig }: LoraModel): AdapterConfig {
  return {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base.folder ?? base.config?._name_or_path ?? null,
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: lora.dropout ?? 0,
    target_modules: lora.targets,
    rank_pattern: lora.rankPattern ?? {},
    alpha_pattern: lora.alphaPattern ?? {},
    bias: "none",
    fan_in_fan_out: base.options.style !== "llama",
    modules_to_save: null,
    use_rslora: lora.rankStabilised ?? false,
    use_dora: false,
    init_lora_weights: true,
    inference_mode: true,
    ...adapterConfig,
  };
}
