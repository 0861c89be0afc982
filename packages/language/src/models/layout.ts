import { fail } from "@reins/core";
import { type GptOptions, type GptParams, unflattenNames } from "@reins/nn";
import { concat, slice, type Tensor, transpose } from "@reins/tensor";

/** A tensor of ours and the tensors of a checkpoint that it joins along its last axis. */
export interface ParameterPlace {
  readonly at: string;
  readonly shape: readonly number[];
  readonly names: readonly string[];
  /** Lengths of the parts along the last axis, where there are several. */
  readonly sizes?: readonly number[];
  /** Hugging Face's linear layers are [outputs, inputs]; ours, and GPT-2's there, are [inputs, outputs]. */
  readonly turned?: boolean;
}

/** Where everything is in a checkpoint. Reading and writing follow the same list. */
export const placesOf = (o: GptOptions): ParameterPlace[] =>
  o.style === "llama" ? llamaPlaces(o) : gpt2Places(o);

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

function llamaPlaces(o: GptOptions): ParameterPlace[] {
  const { width, heads, keyHeads = heads, headWidth = width / heads, hidden = Math.ceil(width / 3) * 8 } = o;
  const kv = keyHeads * headWidth;
  const sizes = [heads * headWidth, kv, kv];
  const joined = sizes[0] + 2 * kv;
  const { bias = false, outputBias = false } = o;
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
      const qkv = (what: string) => ["q", "k", "v"].map((n) => `${self}.${n}_proj.${what}`);
      const up = (what: string) => ["gate", "up"].map((n) => `${from}.mlp.${n}_proj.${what}`);
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
          names: up("weight"),
          sizes: [hidden, hidden],
          shape: [width, 2 * hidden],
          turned: true,
        },
        one(`${at}.feedForward.down.weight`, `${from}.mlp.down_proj.weight`, hidden, width),
        ...(o.hiddenBias
          ? [
              {
                at: `${at}.feedForward.up.bias`,
                names: up("bias"),
                sizes: [hidden, hidden],
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

/** Tensors that checkpoints carry beside a model's parameters, and that change nothing: masks and angles that are computed anyway. */
const computed = /(^|\.)(attn\.(bias|masked_bias)|rotary_emb\.inv_freq)$/;

/** The parameters in a checkpoint. None may be missing, and none may be left over but those that change nothing or that `more` names. */
export function paramsFrom(
  tensors: ReadonlyMap<string, Tensor>,
  options: GptOptions,
  source: string,
  more: readonly string[] = [],
): GptParams {
  // A layer has several tensors: a count beyond their number is not worth a list of what is missing.
  if (options.layers > tensors.size)
    fail(
      source,
      `it has ${tensors.size} tensors in all; config.json says that there are ${options.layers} layers.`,
    );
  const left = new Set(tensors.keys());
  const get = (name: string): Tensor => {
    // Checkpoints of the body alone have no prefix.
    const here = tensors.has(name) ? name : name.replace(/^(model|transformer)\./, "");
    const found = tensors.get(here);
    if (!found) fail(source, `it has no tensor "${name}". Is it the checkpoint that config.json describes?`);
    if (found.dtype !== "f32") fail(source, `tensor "${name}" is ${found.dtype}; parameters are floats.`);
    left.delete(here);
    return found;
  };
  const params = read(options, get, source);
  const known = new Set([...more, ...(options.tied ? ["lm_head.weight"] : [])]);
  const unread = [...left].filter((name) => !computed.test(name) && !known.has(name));
  if (unread.length)
    fail(
      source,
      `config.json does not describe ${unread.length === 1 ? "the tensor" : `${unread.length} of its tensors, such as`} "${unread[0]}": with it the model computes something else. Are all layers, biases and norms in config.json, and are the two of one model?`,
    );
  return params;
}

function read(options: GptOptions, get: (name: string) => Tensor, source: string): GptParams {
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
  ) as GptParams;
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
