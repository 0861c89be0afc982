import { fail } from "@reins/core";
import type { AdapterParams, GptParams, LinearParams } from "@reins/nn";
import type { LanguageModel } from "./language-model.ts";
import { placesOf } from "./layout.ts";

/** A matrix of a block. Where the layout is fused, it joins several modules of the Hugging Face model. */
export type BlockMatrix = "qkv" | "output" | "up" | "down";

/** A linear module of the Hugging Face model that may have an adapter, and the columns of its outputs in our matrix. */
export interface LoraModule {
  /** Its full name: "model.layers.0.self_attn.q_proj". */
  readonly name: string;
  /** The last part of its name, the adapter's key in the parameters: "q_proj". */
  readonly key: string;
  readonly block: number;
  readonly matrix: BlockMatrix;
  /** Path of the matrix in the parameters: "blocks.0.attention.qkv.weight". */
  readonly at: string;
  readonly inputs: number;
  readonly outputs: number;
  /** First column. */
  readonly column: number;
  /** Index among the modules of the matrix, and their number. */
  readonly index: number;
  readonly siblings: number;
}

/** The modules of a model that may have adapters, in the order of its blocks. */
export function modulesOf({ options, config }: LanguageModel): LoraModule[] {
  return placesOf(options, config?.model_type).flatMap(({ at, names, shape, sizes = shape.slice(-1) }) => {
    const found = /^blocks\.(\d+)\.\w+\.(qkv|output|up|down)\.weight$/.exec(at);
    if (!found) return [];
    let next = 0;
    return names.map((weight, index): LoraModule => {
      const name = weight.replace(/\.weight$/, "");
      const column = next;
      next += sizes[index];
      return {
        name,
        key: name.slice(name.lastIndexOf(".") + 1),
        block: Number(found[1]),
        matrix: found[2] as BlockMatrix,
        at,
        inputs: shape[0],
        outputs: sizes[index],
        column,
        index,
        siblings: names.length,
      };
    });
  });
}

/** PEFT's names of the modules that may have adapters: "q_proj", "k_proj" and so on. */
export const loraTargets = (model: LanguageModel): string[] => [
  ...new Set(modulesOf(model).map(({ key }) => key)),
];

/** The modules that targets select, as in PEFT: by suffix. */
export function selectModules(model: LanguageModel, targets: readonly string[]): LoraModule[] {
  const all = modulesOf(model);
  const valid = () => `Use "all-linear", or any of ${loraTargets(model).join(", ")}.`;
  if (targets.length === 0) fail("lora", `targets is empty. ${valid()}`);
  for (const target of targets)
    if (!all.some(({ name }) => endsWith(name, target)))
      fail("lora", `target ${JSON.stringify(target)} is not a linear module of this model. ${valid()}`);
  return all.filter(({ name }) => targets.some((target) => endsWith(name, target)));
}

/** Whether a name is `target`, or ends with it after a dot. */
export const endsWith = (name: string, target: string) => name === target || name.endsWith(`.${target}`);

/** The adapter of a module, if it has one. */
export function adapterOf(params: GptParams, { block, matrix, key }: LoraModule): AdapterParams | undefined {
  return linearOf(params, block, matrix)?.adapters?.[key];
}

function linearOf(params: GptParams, block: number, matrix: BlockMatrix): LinearParams | undefined {
  const { attention, feedForward } = params.blocks[block];
  return matrix === "qkv" || matrix === "output" ? attention[matrix] : feedForward[matrix];
}

/** Adapters as parameters, in the nesting of the model's parameters. */
export function adapterParams(
  { params }: LanguageModel,
  adapters: Iterable<readonly [LoraModule, AdapterParams]>,
): GptParams {
  const tree: AdapterTree = { blocks: params.blocks.map(() => ({ attention: {}, feedForward: {} })) };
  for (const [{ block, matrix, key }, adapter] of adapters) {
    const { attention, feedForward } = tree.blocks[block];
    const half = matrix === "qkv" || matrix === "output" ? attention : feedForward;
    half[matrix] ??= { adapters: {} };
    half[matrix].adapters[key] = adapter;
  }
  return tree as GptParams;
}

type Half = { [matrix in BlockMatrix]?: { adapters: { [key: string]: AdapterParams } } };
type AdapterTree = { blocks: { attention: Half; feedForward: Half }[] };
