import { existsSync, readFileSync } from "node:fs";
import {
  argmax,
  compile,
  concat,
  crossEntropy,
  logSoftmax,
  pick,
  random,
  slice,
  type Tensor,
  tensor,
  transpose,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  adam,
  adamW,
  clipGlobalNorm,
  type GptParams,
  gpt,
  type OptimiserState,
  parameterCount,
  readSafetensors,
} from "../index.ts";
import { expectClose, expectGradient, fixture } from "../testing.ts";

const key = random.key(21);
const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const at = (t: Tensor, from: number, to: number) => slice(t, [null, [from, to]]);

describe.each(["gpt2", "llama"] as const)("gpt in the style of %s", (style) => {
  const model = gpt({
    layers: 2,
    width: 8,
    heads: 2,
    context: 6,
    vocabulary: 11,
    style,
    keyHeads: style === "llama" ? 1 : 2,
  });
  const params = model.init(key);
  const tokens = ints([
    [1, 5, 2, 9, 10],
    [3, 3, 0, 7, 4],
  ]);
  it("gives logits for every position, the same with a cache", () => {
    const whole = model.apply(params, tokens);
    expect(whole.shape).toEqual([2, 5, 11]);
    const first = model.step(params, at(tokens, 0, 3), model.start(2));
    const step = compile((p: GptParams, t: Tensor, s: typeof first.state) => model.step(p, t, s), {
      donate: [2],
    });
    let { state } = first;
    expectClose(first.output, at(whole, 0, 3));
    for (let t = 3; t < 5; t++) {
      const next = step(params, at(tokens, t, t + 1), state);
      expectClose(next.output, at(whole, t, t + 1));
      state = next.state;
    }
    expect(state.position.item()).toBe(5);
  });
  it("continues prompts of different lengths", () => {
    const whole = model.apply(params, tokens);
    const filled = model.step(params, at(tokens, 0, 3), model.start(2, { perRow: true }));
    const state = { ...filled.state, position: tensor([1, 3], { dtype: "i32" }) };
    const next = ints([[5], [7]]);
    const { output } = model.step(params, next, state);
    expectClose(
      output,
      concat([
        slice(whole, [
          [0, 1],
          [1, 2],
        ]),
        slice(whole, [
          [1, 2],
          [3, 4],
        ]),
      ]),
    );
  });
  it("has the gradient of finite differences", () => {
    const labels = ints([
      [5, 2, 9, 10, 0],
      [3, 0, 7, 4, 1],
    ]);
    const wide = { ...params, blocks: params.blocks };
    expectGradient((p) => crossEntropy(model.apply(p, tokens), labels), wide, { step: 3e-3 });
  });
});

it("learns a sequence by heart, one compiled update at a time", () => {
  const model = gpt({ layers: 1, width: 8, heads: 2, context: 6, vocabulary: 11 });
  const optimiser = adam({ learningRate: 1e-2 });
  const tokens = ints([
    [1, 5, 2, 9, 10],
    [3, 3, 0, 7, 4],
  ]);
  const labels = ints([
    [5, 2, 9, 10, 0],
    [3, 0, 7, 4, 1],
  ]);
  const update = compile(
    (p: GptParams, s: OptimiserState<GptParams>) => {
      const { value, gradient } = valueAndGradient((q: GptParams) =>
        crossEntropy(model.apply(q, tokens), labels),
      )(p);
      return { loss: value, ...optimiser.update(clipGlobalNorm(gradient, 1).gradients, s, p) };
    },
    { donate: [0, 1] },
  );
  const params = model.init(key);
  const bound = update.bind(params, optimiser.init(params));
  for (let i = 0; i < 60; i++) bound.run();
  expect(bound.result.loss.item()).toBeLessThan(0.3);
});

it("says what tokens must be", () => {
  const model = gpt({ layers: 1, width: 4, heads: 1, context: 3, vocabulary: 5 });
  const params = model.init(key);
  expect(() => model.apply(params, tensor([[1, 2]]))).toThrow("i32[batch, time], but got f32[1, 2]");
  expect(() => model.apply(params, ints([[1, 2, 3, 4]]))).toThrow("exceed the context of 3");
});

it("counts 0.84 million parameters in the benchmark's model", () => {
  const width = 128;
  const block = 12 * width * width + 13 * width;
  const model = gpt({ layers: 4, width, heads: 4, context: 128, vocabulary: 256 });
  expect(parameterCount(model.init(key))).toBe(4 * block + 2 * width + (128 + 256) * width);
});

interface Expected {
  input_ids: number[][];
  logits_first8_last_position: number[][];
  token_logprobs: number[][];
  loss: number;
  greedy_from_first_8: number[][];
  "adamw_lr1e-3_b0.9_0.95_wd0.1_losses": number[];
}

/** The parameters of a Hugging Face checkpoint in the layout of {@link gpt}. */
function fromHuggingFace(tensors: Map<string, Tensor>, layers: number): GptParams {
  const get = (name: string) => tensors.get(name)!;
  const numbers = [...Array(layers).keys()];
  if (tensors.has("transformer.wte.weight")) {
    const both = (n: string) => ({ weight: get(`${n}.weight`), bias: get(`${n}.bias`) });
    const norm = (n: string) => ({ scale: get(`${n}.weight`), shift: get(`${n}.bias`) });
    return {
      tokens: { table: get("transformer.wte.weight") },
      positions: { table: get("transformer.wpe.weight") },
      blocks: numbers
        .map((i) => `transformer.h.${i}`)
        .map((h) => ({
          norm1: norm(`${h}.ln_1`),
          attention: { qkv: both(`${h}.attn.c_attn`), output: both(`${h}.attn.c_proj`) },
          norm2: norm(`${h}.ln_2`),
          feedForward: { up: both(`${h}.mlp.c_fc`), down: both(`${h}.mlp.c_proj`) },
        })),
      norm: norm("transformer.ln_f"),
    };
  }
  const joined = (...names: string[]) => {
    const weight = transpose(concat(names.map((n) => get(`${n}.weight`))));
    return tensors.has(`${names[0]}.bias`)
      ? { weight, bias: concat(names.map((n) => get(`${n}.bias`))) }
      : { weight };
  };
  const head = tensors.get("lm_head.weight");
  return {
    tokens: { table: get("model.embed_tokens.weight") },
    blocks: numbers
      .map((i) => `model.layers.${i}`)
      .map((l) => ({
        norm1: { scale: get(`${l}.input_layernorm.weight`) },
        attention: {
          qkv: joined(...["q", "k", "v"].map((n) => `${l}.self_attn.${n}_proj`)),
          output: joined(`${l}.self_attn.o_proj`),
        },
        norm2: { scale: get(`${l}.post_attention_layernorm.weight`) },
        feedForward: {
          up: joined(`${l}.mlp.gate_proj`, `${l}.mlp.up_proj`),
          down: joined(`${l}.mlp.down_proj`),
        },
      })),
    norm: { scale: get("model.norm.weight") },
    ...(head ? { head: { weight: transpose(head) } } : {}),
  };
}

const checkpoints = [
  ["gpt2", gpt({ layers: 2, width: 64, heads: 4, context: 256, vocabulary: 1024 }), 2],
  [
    "llama",
    gpt({
      layers: 3,
      width: 64,
      heads: 4,
      keyHeads: 2,
      hidden: 160,
      context: 256,
      vocabulary: 1024,
      style: "llama",
    }),
    3,
  ],
  [
    "qwen2",
    gpt({
      layers: 2,
      width: 64,
      heads: 4,
      keyHeads: 2,
      hidden: 160,
      context: 256,
      vocabulary: 1024,
      style: "llama",
      tied: true,
      bias: true,
      rotary: { base: 1e6 },
    }),
    2,
  ],
] as const;

function available(name: string): boolean {
  try {
    return existsSync(fixture(`hf/${name}/model.safetensors`));
  } catch {
    return false;
  }
}

describe.each(checkpoints)("Hugging Face's %s", (name, model, layers) => {
  const load = () => ({
    params: fromHuggingFace(
      readSafetensors(readFileSync(fixture(`hf/${name}/model.safetensors`))).tensors,
      layers,
    ),
    expected: JSON.parse(readFileSync(fixture(`hf/${name}/expected.json`), "utf8")) as Expected,
  });
  it.skipIf(!available(name))("has the same logits, log-probabilities and greedy continuation", () => {
    const { params, expected } = load();
    const ids = ints(expected.input_ids);
    const time = ids.shape[1];
    const run = compile((p: GptParams, t: Tensor) => {
      const logits = model.apply(p, t);
      return {
        last: slice(logits, [null, [time - 1, time], [0, 8]]),
        logProbs: pick(logSoftmax(slice(logits, [null, [0, time - 1]])), slice(t, [null, [1, time]])),
      };
    });
    const { last, logProbs } = run(params, ids);
    expectClose(last, expected.logits_first8_last_position.flat(), 1e-4);
    expectClose(logProbs, expected.token_logprobs.flat(), 1e-4);

    const rows = expected.greedy_from_first_8.length;
    const step = compile(
      (p: GptParams, t: Tensor, s: ReturnType<typeof model.start>) => {
        const { output, state } = model.step(p, t, s);
        return { token: argmax(slice(output, [null, [t.shape[1] - 1, t.shape[1]]])), state };
      },
      { donate: [2] },
    );
    let token = slice(ints(expected.input_ids.slice(0, rows)), [null, [0, 8]]);
    let state = model.start(rows, { maximum: 32 });
    const greedy = expected.greedy_from_first_8.map((g) => g.slice(0, 8));
    while (greedy[0].length < expected.greedy_from_first_8[0].length) {
      const next = step(params, token, state);
      ({ token, state } = next);
      for (const [i, g] of greedy.entries()) g.push(token.data[i]);
    }
    expect(greedy).toEqual(expected.greedy_from_first_8);
  });
  it.skipIf(!available(name))("trains with AdamW to the same losses", () => {
    const { params, expected } = load();
    const ids = ints(expected.input_ids);
    const time = ids.shape[1];
    const optimiser = adamW({ learningRate: 1e-3, beta2: 0.95, weightDecay: 0.1 });
    const update = compile(
      (p: GptParams, s: OptimiserState<GptParams>, t: Tensor) => {
        const { value, gradient } = valueAndGradient((q: GptParams) =>
          crossEntropy(slice(model.apply(q, t), [null, [0, time - 1]]), slice(t, [null, [1, time]])),
        )(p);
        return { loss: value, ...optimiser.update(gradient, s, p) };
      },
      { donate: [0, 1] },
    );
    let now = { params, state: optimiser.init(params) };
    const losses = expected["adamw_lr1e-3_b0.9_0.95_wd0.1_losses"].map(() => {
      const next = update(now.params, now.state, ids);
      now = next;
      return next.loss.item();
    });
    expectClose(losses, expected["adamw_lr1e-3_b0.9_0.95_wd0.1_losses"], 1e-4);
  });
});
