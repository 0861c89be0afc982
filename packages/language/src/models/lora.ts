import { fail } from "@reins/core";
import {
  type AdapterParams,
  type BlockParams,
  type Deferred,
  flattenNames,
  type GptParams,
  init,
  type LinearParams,
} from "@reins/nn";
import { add, matmul, mul, random, type Tensor, zeros } from "@reins/tensor";
import type { LanguageModel } from "./language-model.ts";

/** The matrices of a block that may have adapters: both of its attention, both of its feed-forward part. */
export const loraTargets = ["qkv", "output", "up", "down"] as const;

/** A matrix of a block. */
export type LoraTarget = (typeof loraTargets)[number];

/** Settings of {@link lora}. */
export interface LoraOptions {
  /** Width of the narrow middle. Higher can change more and has more to learn (4 to 64; 8 by default). */
  readonly rank?: number;
  /** Adapters count alpha / rank. Higher moves further at the same learning rate (rank to 2 × rank; 2 × rank by default). */
  readonly alpha?: number;
  /** Which matrices of each block; all of them by default. */
  readonly targets?: readonly LoraTarget[];
}

/**
 * A model of which only adapters are learned. Its `params` are the adapters alone, at the places of the weights they change; what
 * else {@link GptParams} names is not in them. All that takes a model takes it: policies, generators, stages.
 */
export interface LoraModel extends LanguageModel {
  /** The frozen model, whose weights are read where they are. */
  readonly base: LanguageModel;
  readonly lora: Required<LoraOptions>;
}

/** Low-rank adapters on a frozen model (Hu et al., 2021). They begin as no change: the first outputs are the base's. */
export function lora(base: LanguageModel, options: LoraOptions, key: Tensor): LoraModel {
  const { rank = 8, alpha = 2 * rank, targets = loraTargets } = options;
  if (!(Number.isInteger(rank) && rank >= 1)) fail("lora", `the rank is ${rank}; it must be 1 or more.`);
  if ("lora" in base)
    fail("lora", "the model has adapters already. Fold them in first: lora(merged(model), …).");
  if (targets.length === 0) fail("lora", `there is no target. Name some of ${loraTargets.join(", ")}.`);
  const settings = { rank, alpha, targets };
  return withAdapters(base, settings, fresh(base, settings, key));
}

/** First adapters: `down` as PyTorch begins a linear layer, `up` at 0. */
function fresh(base: LanguageModel, { rank, targets }: Required<LoraOptions>, key: Tensor): GptParams {
  const keys = random.splitKey(key, base.params.blocks.length * loraTargets.length);
  return adaptersOf(base, (target, { weight }, block) => {
    if (!targets.includes(target)) return undefined;
    const [inputs, outputs] = weight.shape;
    const own = keys[block * loraTargets.length + loraTargets.indexOf(target)];
    return { down: init.uniform(1 / Math.sqrt(inputs))(own, [inputs, rank]), up: zeros([rank, outputs]) };
  });
}

/** A model from its base and its adapters. */
export function withAdapters(
  base: LanguageModel,
  settings: Required<LoraOptions>,
  params: GptParams,
): LoraModel {
  const { model } = base;
  const join = (adapters: GptParams) => joined(base.params, adapters, settings.alpha / settings.rank);
  return {
    ...base,
    base,
    lora: settings,
    params,
    model: {
      ...model,
      init: (key) => fresh(base, settings, key),
      apply: (p, ...rest) => model.apply(join(p), ...rest),
      hidden: (p, ...rest) => model.hidden(join(p), ...rest),
      logits: (p, ...rest) => model.logits(join(p), ...rest),
      step: (p, ...rest) => model.step(join(p), ...rest),
    },
  };
}

/** The plain model that a model with adapters computes: each product of adapters added to its weight. */
export function merged({ base, lora: { alpha, rank }, params }: LoraModel): LanguageModel {
  const full = joined(base.params, params, alpha / rank);
  const fold = ({ adapter, ...rest }: LinearParams): LinearParams =>
    adapter ? { ...rest, weight: folded(rest.weight, adapter) } : rest;
  return { ...base, params: { ...full, blocks: full.blocks.map((block) => mapMatrices(block, fold)) } };
}

const folded = (weight: Tensor, { down, up }: AdapterParams): Tensor => add(weight, matmul(down, up));

/** Whether only adapters of a model learn. */
export const isLora = (model: LanguageModel): model is LoraModel => "lora" in model;

/** The parameters of the plain model by their paths. Where there are adapters, each matrix is folded when it is asked for. */
export function plainParams(model: LanguageModel): Map<string, Tensor | Deferred> {
  if (!isLora(model)) return flattenNames(model.params);
  const { base, lora: settings, params } = model;
  const flat = new Map<string, Tensor | Deferred>(flattenNames(base.params));
  base.params.blocks.forEach((_, block) => {
    for (const target of loraTargets) {
      const adapter = adapterOf(params, block, target);
      if (!adapter) continue;
      const at = matrixPath(block, target);
      const weight = flat.get(at) as Tensor;
      const { shape, dtype } = weight;
      const make = () => folded(weight, { ...adapter, up: mul(adapter.up, settings.alpha / settings.rank) });
      flat.set(at, { shape, dtype, make });
    }
  });
  return flat;
}

/** Where a matrix of a block is among the parameters. */
export function matrixPath(block: number, target: LoraTarget): string {
  const half = target === "qkv" || target === "output" ? "attention" : "feedForward";
  return `blocks.${block}.${half}.${target}.weight`;
}

/** Adapters for the matrices that `make` gives some, in the nesting of parameters. */
export function adaptersOf(
  base: LanguageModel,
  make: (target: LoraTarget, matrix: LinearParams, block: number) => AdapterParams | undefined,
): GptParams {
  const blocks = base.params.blocks.map((block, i) => {
    const part = (matrices: { readonly [name: string]: unknown }, targets: readonly LoraTarget[]) =>
      Object.fromEntries(
        targets.flatMap((target) => {
          const adapter = make(target, matrices[target] as LinearParams, i);
          return adapter ? [[target, { adapter }]] : [];
        }),
      );
    return {
      attention: part(block.attention, ["qkv", "output"]),
      feedForward: part(block.feedForward, ["up", "down"]),
    };
  });
  return { blocks } as unknown as GptParams;
}

/** The adapter of a matrix, where it has one. */
export function adapterOf(params: GptParams, block: number, target: LoraTarget): AdapterParams | undefined {
  const { attention, feedForward } = params.blocks[block];
  const matrices: { readonly [name in LoraTarget]?: LinearParams } = { ...attention, ...feedForward };
  return matrices[target]?.adapter;
}

/** The base's parameters with adapters beside their weights. The scale is in the product: files and optimisers see the plain adapters. */
function joined(base: GptParams, adapters: GptParams, scale: number): GptParams {
  const blocks = base.blocks.map((block, i) =>
    mapMatrices(block, (matrix, target) => {
      const adapter = adapterOf(adapters, i, target);
      return adapter ? { ...matrix, adapter: { ...adapter, up: mul(adapter.up, scale) } } : matrix;
    }),
  );
  return { ...base, blocks };
}

function mapMatrices(
  block: BlockParams,
  f: (matrix: LinearParams, target: LoraTarget) => LinearParams,
): BlockParams {
  const { attention, feedForward } = block;
  return {
    ...block,
    attention: { ...attention, qkv: f(attention.qkv, "qkv"), output: f(attention.output, "output") },
    feedForward: { up: f(feedForward.up, "up"), down: f(feedForward.down, "down") },
  };
}
