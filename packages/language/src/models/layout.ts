import { fail } from "@reins/core";
import {
  type DeferredTensor,
  type GptOptions,
  type GptParams,
  materialise,
  type TensorReader,
  unflattenNames,
} from "@reins/nn";
import { heapZeros, slice, type Tensor, transpose } from "@reins/tensor";
import { modelFamilies } from "./families.ts";

/** A parameter, and the tensors of a checkpoint that are concatenated to it along the last axis. */
export interface ParameterPlace {
  readonly at: string;
  readonly shape: readonly number[];
  readonly names: readonly string[];
  /** Lengths of the parts along the last axis, where there are several. */
  readonly sizes?: readonly number[];
  /** Linear layers of Hugging Face are [outputs, inputs]; ours, and those of GPT-2, are [inputs, outputs]. */
  readonly turned?: boolean;
}

/** All parameters and their places in a family's checkpoint, for reading and writing. */
export const placesOf = (o: GptOptions, type?: string): ParameterPlace[] =>
  o.style === "llama"
    ? llamaPlaces(o, Boolean(type !== undefined && modelFamilies[type]?.fused))
    : gpt2Places(o);

function gpt2Places(o: GptOptions): ParameterPlace[] {
  const { width, hidden = 4 * width } = o;
  const both = (at: string, name: string, from: number, to: number): ParameterPlace[] => [
    { at: `${at}.weight`, names: [`${name}.weight`], shape: [from, to] },
    { at: `${at}.bias`, names: [`${name}.bias`], shape: [to] },
  ];
  const norm = (at: string, name: string): ParameterPlace[] => [
    { at: `${at}.scale`, names: [`${name}.weight`], shape: [width] },
    { at: `${at}.shift`, names: [`${name}.bias`], shape: [width] },
  ];
  return [
    { at: "tokens.table", names: ["transformer.wte.weight"], shape: [o.vocabulary, width] },
    { at: "positions.table", names: ["transformer.wpe.weight"], shape: [o.context, width] },
    ...numbers(o.layers).flatMap((i) => {
      const [at, from] = [`blocks.${i}`, `transformer.h.${i}`];
      return [
        ...norm(`${at}.norm1`, `${from}.ln_1`),
        ...both(`${at}.attention.qkv`, `${from}.attn.c_attn`, width, 3 * width),
        ...both(`${at}.attention.output`, `${from}.attn.c_proj`, width, width),
        ...norm(`${at}.norm2`, `${from}.ln_2`),
        ...both(`${at}.feedForward.up`, `${from}.mlp.c_fc`, width, hidden),
        ...both(`${at}.feedForward.down`, `${from}.mlp.c_proj`, hidden, width),
      ];
    }),
    ...norm("norm", "transformer.ln_f"),
    ...headOf(o, true),
  ];
}

/** The names of the norms before and after the halves of a block. */
const normNames = {
  before: { norm1: "input_layernorm", norm2: "post_attention_layernorm" },
  after: { norm1: "post_attention_layernorm", norm2: "post_feedforward_layernorm" },
  both: {
    norm1: "input_layernorm",
    after1: "post_attention_layernorm",
    norm2: "pre_feedforward_layernorm",
    after2: "post_feedforward_layernorm",
  },
} as const;

function llamaPlaces(o: GptOptions, fused: boolean): ParameterPlace[] {
  const { width, heads, keyHeads = heads, headWidth = width / heads, hidden = Math.ceil(width / 3) * 8 } = o;
  const kv = keyHeads * headWidth;
  const sizes = [heads * headWidth, kv, kv];
  const joined = sizes[0] + 2 * kv;
  const { bias = false, outputBias = false } = o;
  const together = o.normaliseHeads === "together";
  const one = (at: string, name: string, ...shape: number[]): ParameterPlace => ({
    at,
    names: [name],
    shape,
    turned: shape.length === 2,
  });
  return [
    { at: "tokens.table", names: ["model.embed_tokens.weight"], shape: [o.vocabulary, width] },
    ...numbers(o.layers).flatMap((i): ParameterPlace[] => {
      const [at, from] = [`blocks.${i}`, `model.layers.${i}`];
      const [attention, self] = [`${at}.attention`, `${from}.self_attn`];
      const side =
        (names: readonly string[], module: string, parts: readonly number[]) => (what: string) => ({
          names: names.map((n) => `${module}.${n}_proj.${what}`),
          sizes: names.length > 1 ? parts : undefined,
        });
      const qkv = side(fused ? ["qkv"] : ["q", "k", "v"], self, sizes);
      const up = side(fused ? ["gate_up"] : ["gate", "up"], `${from}.mlp`, [hidden, hidden]);
      return [
        ...Object.entries(normNames[o.norms ?? "before"]).map(([norm, name]) =>
          one(`${at}.${norm}.scale`, `${from}.${name}.weight`, width),
        ),
        { at: `${attention}.qkv.weight`, ...qkv("weight"), shape: [width, joined], turned: true },
        ...(bias ? [{ at: `${attention}.qkv.bias`, ...qkv("bias"), shape: [joined] }] : []),
        one(`${attention}.output.weight`, `${self}.o_proj.weight`, sizes[0], width),
        ...(outputBias ? [one(`${attention}.output.bias`, `${self}.o_proj.bias`, width)] : []),
        ...(o.normaliseHeads
          ? [
              one(`${attention}.queryNorm.scale`, `${self}.q_norm.weight`, together ? sizes[0] : headWidth),
              one(`${attention}.keyNorm.scale`, `${self}.k_norm.weight`, together ? kv : headWidth),
            ]
          : []),
        {
          at: `${at}.feedForward.up.weight`,
          ...up("weight"),
          shape: [width, 2 * hidden],
          turned: true,
        },
        one(`${at}.feedForward.down.weight`, `${from}.mlp.down_proj.weight`, hidden, width),
        ...(o.hiddenBias
          ? [
              {
                at: `${at}.feedForward.up.bias`,
                ...up("bias"),
                shape: [2 * hidden],
              },
              one(`${at}.feedForward.down.bias`, `${from}.mlp.down_proj.bias`, width),
            ]
          : []),
      ];
    }),
    one("norm.scale", "model.norm.weight", width),
    ...headOf(o, false),
  ];
}

const numbers = (n: number) => [...Array(n).keys()];
const headOf = (o: GptOptions, tied: boolean): ParameterPlace[] =>
  (o.tied ?? tied)
    ? []
    : [{ at: "head.weight", names: ["lm_head.weight"], shape: [o.width, o.vocabulary], turned: true }];

/** Buffers in checkpoints that can be ignored: masks and rotary frequencies, which are computed anyway. */
const computed = /(^|\.)(attn\.(bias|masked_bias)|rotary_emb\.inv_freq)$/;

/**
 * The parameters in a checkpoint. None may be missing, and no tensor may be left over except buffers and those that
 * `more` names. `type` is its family. Each tensor is read directly into its parameter, so that the file is never in
 * memory as a whole.
 */
export async function paramsFrom(
  files: TensorReader,
  options: GptOptions,
  source: string,
  { more = [], type }: { more?: readonly string[]; type?: string } = {},
): Promise<GptParams> {
  const { entries } = files;
  // A layer has several tensors: with fewer tensors than layers, do not list every missing one.
  if (options.layers > entries.size)
    fail(source, `it has ${entries.size} tensors, too few for the ${options.layers} layers in config.json.`);
  const left = new Set(entries.keys());
  const find = (name: string) => {
    // Checkpoints without the output layer have no prefix.
    const here = entries.has(name) ? name : name.replace(/^(model|transformer)\./, "");
    const found =
      entries.get(here) ??
      fail(source, `tensor "${name}" is missing. Check that config.json belongs to this checkpoint.`);
    if (!floats.has(found.dtype))
      fail(source, `tensor "${name}" is ${found.dtype}; parameters must be floats.`);
    left.delete(here);
    return found;
  };
  // All shapes are checked before the first number is read.
  const places = placesOf(options, type).map((place) => ({ ...place, parts: partsOf(place, find, source) }));
  const known = new Set([...more, ...(options.tied ? ["lm_head.weight"] : [])]);
  const unread = [...left].filter((name) => !computed.test(name) && !known.has(name));
  if (unread.length)
    fail(
      source,
      `config.json does not describe ${unread.length === 1 ? "the tensor" : `${unread.length} of its tensors, such as`} "${unread[0]}": ignoring it would change what the model computes. Check that config.json belongs to this checkpoint and lists all layers, biases and norms.`,
    );
  const read: [string, Tensor][] = [];
  for (const { at, shape, turned, parts } of places) {
    const whole = heapZeros(shape);
    for (const { name, column } of parts)
      await files.place(name, whole.edit() as Float32Array, {
        stride: shape[shape.length - 1],
        column,
        turned,
      });
    read.push([at, whole]);
  }
  return unflattenNames(read) as GptParams;
}

const floats: ReadonlySet<string> = new Set(["F32", "F16", "BF16"]);

/** The tensors of a file that form a parameter, and the first column of each. */
function partsOf(
  { names, shape, turned, sizes = shape.slice(-1) }: ParameterPlace,
  find: (name: string) => { readonly name: string; readonly shape: readonly number[] },
  source: string,
): { readonly name: string; readonly column: number }[] {
  let next = 0;
  return names.map((name, i) => {
    const found = find(name);
    const wanted = [...shape.slice(0, -1), sizes[i]];
    if (turned) wanted.reverse();
    if (found.shape.join() !== wanted.join())
      fail(
        source,
        `tensor "${name}" has shape [${found.shape.join(", ")}]; config.json requires [${wanted.join(", ")}].`,
      );
    const column = next;
    next += sizes[i];
    return { name: found.name, column };
  });
}

/**
 * The tensors of a checkpoint, under the family's names in the Hugging Face library, from parameters by path. Tensors
 * of another form are computed lazily: all of them at once would be a second model in memory.
 */
export function tensorsOf(
  flat: ReadonlyMap<string, Tensor | DeferredTensor>,
  options: GptOptions,
  type?: string,
): Map<string, Tensor | DeferredTensor> {
  const out = new Map<string, Tensor | DeferredTensor>();
  for (const { at, names, shape, turned, sizes = shape.slice(-1) } of placesOf(options, type)) {
    const whole = flat.get(at) ?? fail("saveModel", `the parameters have no ${at}.`);
    let from = 0;
    names.forEach((name, i) => {
      const span = [from, from + sizes[i]] as const;
      from = span[1];
      if (names.length === 1 && !turned) return out.set(name, whole);
      const own = [...shape.slice(0, -1), sizes[i]];
      return out.set(name, {
        dtype: whole.dtype,
        shape: turned ? own.reverse() : own,
        make() {
          const all = materialise(whole);
          const part = names.length === 1 ? all : slice(all, [...shape.slice(1).map(() => null), span]);
          return turned ? transpose(part) : part;
        },
      });
    });
  }
  return out;
}
