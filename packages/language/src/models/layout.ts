import { fail } from "@reins/core";
import { type GptOptions, type GptParams, unflattenNames } from "@reins/nn";
import { concat, slice, type Tensor, transpose } from "@reins/tensor";

/** A tensor of ours and the tensors of a checkpoint that it joins along its last axis. */
export interface Place {
  readonly at: string;
  readonly shape: readonly number[];
  readonly names: readonly string[];
  /** Lengths of the parts along the last axis, where there are several. */
  readonly sizes?: readonly number[];
  /** Hugging Face's linear layers are [outputs, inputs]; ours, and GPT-2's there, are [inputs, outputs]. */
  readonly turned?: boolean;
}

/** Where everything is in a checkpoint. Reading and writing follow the same list. */
export const placesOf = (o: GptOptions): Place[] => (o.style === "llama" ? llamaPlaces(o) : gpt2Places(o));

function gpt2Places(o: GptOptions): Place[] {
  const { width, hidden = 4 * width } = o;
  const both = (at: string, name: string, from: number, to: number): Place[] => [
    { at: `${at}.weight`, names: [`${name}.weight`], shape: [from, to] },
    { at: `${at}.bias`, names: [`${name}.bias`], shape: [to] },
  ];
  const norm = (at: string, name: string): Place[] => [
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

function llamaPlaces(o: GptOptions): Place[] {
  const { width, heads, keyHeads = heads, headWidth = width / heads, hidden = Math.ceil(width / 3) * 8 } = o;
  const kv = keyHeads * headWidth;
  const sizes = [heads * headWidth, kv, kv];
  const joined = sizes[0] + 2 * kv;
  const { bias = false, outputBias = bias } = o;
  const one = (at: string, name: string, ...shape: number[]): Place => ({
    at,
    names: [name],
    shape,
    turned: shape.length === 2,
  });
  return [
    { at: "tokens.table", names: ["model.embed_tokens.weight"], shape: [o.vocabulary, width] },
    ...numbers(o.layers).flatMap((i): Place[] => {
      const [at, from] = [`blocks.${i}`, `model.layers.${i}`];
      const [attention, self] = [`${at}.attention`, `${from}.self_attn`];
      const qkv = (what: string) => ["q", "k", "v"].map((n) => `${self}.${n}_proj.${what}`);
      const up = ["gate", "up"].map((n) => `${from}.mlp.${n}_proj.weight`);
      return [
        one(`${at}.norm1.scale`, `${from}.input_layernorm.weight`, width),
        { at: `${attention}.qkv.weight`, names: qkv("weight"), sizes, shape: [width, joined], turned: true },
        ...(bias ? [{ at: `${attention}.qkv.bias`, names: qkv("bias"), sizes, shape: [joined] }] : []),
        one(`${attention}.output.weight`, `${self}.o_proj.weight`, sizes[0], width),
        ...(outputBias ? [one(`${attention}.output.bias`, `${self}.o_proj.bias`, width)] : []),
        ...(o.normaliseHeads
          ? [
              one(`${attention}.queryNorm.scale`, `${self}.q_norm.weight`, headWidth),
              one(`${attention}.keyNorm.scale`, `${self}.k_norm.weight`, headWidth),
            ]
          : []),
        one(`${at}.norm2.scale`, `${from}.post_attention_layernorm.weight`, width),
        {
          at: `${at}.feedForward.up.weight`,
          names: up,
          sizes: [hidden, hidden],
          shape: [width, 2 * hidden],
          turned: true,
        },
        one(`${at}.feedForward.down.weight`, `${from}.mlp.down_proj.weight`, hidden, width),
      ];
    }),
    one("norm.scale", "model.norm.weight", width),
    ...headOf(o, false),
  ];
}

const numbers = (n: number) => [...Array(n).keys()];
const headOf = (o: GptOptions, tied: boolean): Place[] =>
  (o.tied ?? tied)
    ? []
    : [{ at: "head.weight", names: ["lm_head.weight"], shape: [o.width, o.vocabulary], turned: true }];

/** The parameters in a checkpoint. Tensors that the model does not have are left alone, but none may be missing. */
export function paramsFrom(
  tensors: ReadonlyMap<string, Tensor>,
  options: GptOptions,
  source: string,
): GptParams {
  const get = (name: string): Tensor => {
    // Checkpoints of the body alone have no prefix.
    const found = tensors.get(name) ?? tensors.get(name.replace(/^(model|transformer)\./, ""));
    if (!found) fail(source, `it has no tensor "${name}". Is it the checkpoint that config.json describes?`);
    if (found.dtype !== "f32") fail(source, `tensor "${name}" is ${found.dtype}; parameters are floats.`);
    return found;
  };
  return unflattenNames(
    placesOf(options).map(({ at, names, shape, turned, sizes = shape.slice(-1) }) => {
      const parts = names.map((name, i) => {
        const wanted = [...shape.slice(0, -1), sizes[i]];
        const found = get(name);
        const part = turned ? transpose(found) : found;
        if (part.shape.join() !== wanted.join())
          fail(
            source,
            `tensor "${name}" has shape [${found.shape.join(", ")}]; by config.json it should be [${(turned ? wanted.reverse() : wanted).join(", ")}].`,
          );
        return part;
      });
      return [at, parts.length === 1 ? parts[0] : concat(parts, -1)] as const;
    }),
  ) as unknown as GptParams;
}

/** The tensors of a checkpoint, under Hugging Face's names, from parameters by their paths. */
export function tensorsOf(flat: ReadonlyMap<string, Tensor>, options: GptOptions): Map<string, Tensor> {
  const out = new Map<string, Tensor>();
  for (const { at, names, shape, turned, sizes = shape.slice(-1) } of placesOf(options)) {
    const whole = flat.get(at) ?? fail("saveModel", `the parameters have no ${at}.`);
    let from = 0;
    names.forEach((name, i) => {
      const to = from + sizes[i];
      const part =
        names.length === 1 ? whole : slice(whole, [...shape.slice(1).map(() => null), [from, to] as const]);
      out.set(name, turned ? transpose(part) : part);
      from = to;
    });
  }
  return out;
}
