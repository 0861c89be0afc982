import { fail } from "@reins/core";
import {
  type ColumnAdapters,
  type DeferredTensor,
  flattenNames,
  type GptParams,
  init,
  type LinearParams,
  materialise,
  mergeAdapters,
  unflattenNames,
} from "@reins/nn";
import { mul, random, scalar, type Tensor, zeros } from "@reins/tensor";
import type { LanguageModel } from "./language-model.ts";
import {
  adapterOf,
  adapterParams,
  type BlockMatrix,
  type LoraModule,
  loraTargets,
  modulesOf,
  selectModules,
} from "./lora-modules.ts";
import { checkSettings, type LoraOptions, type LoraSettings, rankOf, scaleOf } from "./lora-options.ts";

/**
 * A model of which only adapters are trained. Its `params` are the adapters alone, at the paths of the weights that
 * they update; other parameters of {@link GptParams} are absent. It can be used wherever a model can: policies,
 * generators, stages.
 */
export interface LoraModel extends LanguageModel {
  /** The frozen base model, whose weights are read in place. */
  readonly base: LanguageModel;
  readonly lora: LoraSettings;
  /** The contents of `adapter_config.json`, if the adapters were loaded from a folder. */
  readonly adapterConfig?: { readonly [field: string]: unknown };
}

/**
 * Low-rank adapters on a frozen model (Hu et al., 2021), one for each Hugging Face module, as in PEFT. `up` is
 * initialised to 0, so that adapters change nothing at first.
 */
export function lora(base: LanguageModel, options: LoraOptions, key: Tensor): LoraModel {
  if ("lora" in base)
    fail("lora", "the model has adapters already. Merge them first: lora(merged(model), …).");
  const { rank = 8, alpha = 2 * rank, targets = "all-linear" } = options;
  const names =
    targets === "all-linear" ? loraTargets(base) : typeof targets === "string" ? [targets] : targets;
  const settings = { ...options, rank, alpha, targets: names };
  checkSettings(settings, "lora");
  return withAdapters(base, settings, fresh(base, selectModules(base, names), settings, key));
}

/** Initial adapters: `down` as PyTorch initialises a linear layer, `up` 0. */
function fresh(
  base: LanguageModel,
  modules: readonly LoraModule[],
  settings: LoraSettings,
  key: Tensor,
): GptParams {
  const order: readonly BlockMatrix[] = ["qkv", "output", "up", "down"];
  const keys = random.splitKey(key, base.params.blocks.length * order.length);
  return adapterParams(
    base,
    modules.map((module) => {
      const { block, matrix, index, siblings, inputs, outputs } = module;
      const whole = keys[block * order.length + order.indexOf(matrix)];
      const own = siblings === 1 ? whole : random.splitKey(whole, siblings)[index];
      const rank = rankOf(settings, module.name);
      const down = init.uniform(1 / Math.sqrt(inputs))(own, [inputs, rank]);
      return [module, { down, up: zeros([rank, outputs]) }];
    }),
  );
}

/** A model from its base and its adapters. */
export function withAdapters(base: LanguageModel, settings: LoraSettings, params: GptParams): LoraModel {
  const { model } = base;
  const modules = modulesOf(base).filter((module) => adapterOf(params, module));
  const { dropout = 0 } = settings;
  const join = (own: GptParams, key?: Tensor) =>
    joined(base.params, byMatrix(modules, settings, own, dropout > 0 ? key : undefined));
  return {
    ...base,
    base,
    lora: settings,
    params,
    model: {
      ...model,
      ...(dropout > 0 ? { random: true } : {}),
      init: (key) => fresh(base, modules, settings, key),
      apply: (p, tokens, how) => model.apply(join(p, how?.key), tokens, how),
      hidden: (p, tokens, how) => model.hidden(join(p, how?.key), tokens, how),
      logits: (p, ...rest) => model.logits(join(p), ...rest),
      step: (p, ...rest) => model.step(join(p), ...rest),
    },
  };
}

/** The plain model with adapters merged into its weights. */
export function mergeModelAdapters(model: LoraModel): LanguageModel {
  const flat = [...plainParams(model)].map(([path, t]) => [path, materialise(t)] as const);
  return { ...model.base, params: unflattenNames(flat) as GptParams };
}

/** Whether only adapters of a model are trained. */
export const isLora = (model: LanguageModel): model is LoraModel => "lora" in model;

/** The parameters of the plain model by path. Adapters are merged lazily. */
export function plainParams(model: LanguageModel): Map<string, Tensor | DeferredTensor> {
  if (!isLora(model)) return flattenNames(model.params);
  const { base, lora: settings, params } = model;
  const weights = flattenNames(base.params);
  const flat = new Map<string, Tensor | DeferredTensor>(weights);
  for (const [at, adapters] of byMatrix(modulesOf(base), settings, params)) {
    const weight = weights.get(at)!;
    const { shape, dtype } = weight;
    flat.set(at, { shape, dtype, make: () => mergeAdapters(weight, adapters) });
  }
  return flat;
}

/**
 * The adapters of each matrix by the columns of their modules, scaled. Files and optimisers see them without the scale. With a key,
 * their inputs are dropped, each module's by a stream of its own.
 */
function byMatrix(
  modules: readonly LoraModule[],
  settings: LoraSettings,
  params: GptParams,
  key?: Tensor,
): Map<string, ColumnAdapters> {
  const found = new Map<string, ColumnAdapters>();
  modules.forEach((module, i) => {
    const adapter = adapterOf(params, module);
    if (!adapter) return;
    const up = mul(adapter.up, scaleOf(settings, module.name));
    const dropout = key && { key: random.foldKey(key, i), keep: scalar(1 - (settings.dropout ?? 0)) };
    const own = { ...adapter, up, ...(dropout ? { dropout } : {}) };
    found.set(module.at, { ...found.get(module.at), [module.column]: own });
  });
  return found;
}

/** The base's parameters with adapters beside their weights. */
function joined(base: GptParams, adapters: ReadonlyMap<string, ColumnAdapters>): GptParams {
  const blocks = base.blocks.map((block, i) => {
    const own = (linear: LinearParams, at: string): LinearParams => {
      const found = adapters.get(`blocks.${i}.${at}.weight`);
      return found ? { ...linear, adapters: found } : linear;
    };
    const { attention, feedForward } = block;
    return {
      ...block,
      attention: {
        ...attention,
        qkv: own(attention.qkv, "attention.qkv"),
        output: own(attention.output, "attention.output"),
      },
      feedForward: {
        up: own(feedForward.up, "feedForward.up"),
        down: own(feedForward.down, "feedForward.down"),
      },
    };
  });
  return { ...base, blocks };
}
