import { newModel } from "@reins/language";
import {
  adamW,
  clipGlobalNorm,
  type Gpt,
  type GptParams,
  type GptState,
  type OptimiserState,
} from "@reins/nn";
import {
  add,
  argmax,
  compile,
  crossEntropy,
  mul,
  random,
  scalar,
  scan,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
import { profiled } from "./profile.ts";
import { type Row, type Section, timed } from "./section.ts";

/** The shape of Qwen2.5-0.5B, and a small one for the emulated GPU. */
const shapes = {
  large: {
    ...{ vocabulary: 151936, width: 896, layers: 24, heads: 14, keyHeads: 2, hidden: 4864, context: 1024 },
    ...{ rows: 16, parts: 2, prompt: 128, answer: 128, batches: [1, 64, 256] },
  },
  small: {
    ...{ vocabulary: 300, width: 32, layers: 2, heads: 4, keyHeads: 2, hidden: 48, context: 16 },
    ...{ rows: 4, parts: 2, prompt: 3, answer: 4, batches: [1, 3] },
  },
};
type Shape = (typeof shapes)["large"];

function modelOf(s: Shape): { model: Gpt; params: GptParams } {
  const { vocabulary, width, layers, heads, keyHeads, hidden, context } = s;
  const options = {
    ...{ vocabulary, width, layers, heads, keyHeads, hidden, context },
    ...{ style: "llama" as const, tied: true, bias: true, outputBias: false },
  };
  let model: Gpt | undefined;
  // Compiled: the reference would make the weights one number at a time.
  const make = compile(
    () => {
      const made = newModel(options, random.key(0));
      model = made.model;
      return made.params as unknown as Tree;
    },
    { backend: "cuda" },
  );
  const params = make() as unknown as GptParams;
  return { model: model!, params };
}

/** Updates of AdamW on all tokens, with gradients added over parts of the batch. */
function* trains(s: Shape, { model, params }: ReturnType<typeof modelOf>): Iterable<Row> {
  const { rows, parts, context, vocabulary } = s;
  const optimiser = adamW({ learningRate: 3e-4, weightDecay: 0.01 });
  const step = compile(
    (p: GptParams, state: OptimiserState<GptParams>, x: Tensor, y: Tensor) => {
      const differentiated = valueAndGradient((q: GptParams, a: Tensor, b: Tensor) =>
        crossEntropy(model.apply(q, a), b),
      );
      const zero = treeMap((t: Tensor) => mul(t, 0), p as unknown as Tree);
      const { carry } = scan(
        ([sum, loss]: readonly [Tree, Tensor], [a, b]: readonly [Tensor, Tensor]) => {
          const { value, gradient } = differentiated(p, a, b);
          const next = treeMap((u: Tensor, v: Tensor) => add(u, v), sum, gradient as unknown as Tree);
          return [[next, add(loss, value)] as const, []];
        },
        [zero, scalar(0)] as const,
        [x, y],
      );
      const [sum, loss] = carry;
      const gradient = treeMap((t: Tensor) => mul(t, 1 / parts), sum) as unknown as GptParams;
      return { ...optimiser.update(clipGlobalNorm(gradient, 1).gradients, state, p), loss };
    },
    { name: "language training", donate: [0, 1], backend: "cuda", matmulPrecision: "bf16" },
  );
  const shape = [parts, rows / parts, context];
  const ids = (seed: number) => random.randint(random.key(seed), shape, 0, vocabulary);
  const compiled = timed(() => {
    const bound = step.bind(params, optimiser.init(params), ids(1), ids(2));
    bound.run();
    bound.result.loss.item();
    return bound;
  });
  const bound = compiled.value;
  yield { what: "training: first update", result: `${compiled.seconds.toFixed(1)} s with compilation` };
  const updates = (n: number) =>
    timed(() => {
      for (let i = 0; i < n; i++) bound.run();
      return bound.result.loss.item();
    });
  updates(2);
  const count = 5;
  const { seconds, value } = updates(count);
  const rate = (count * rows * context) / seconds;
  yield {
    what: `training: ${rows} × ${context} tokens`,
    result: `${rate.toFixed(0)} tokens/s, ${((seconds / count) * 1e3).toFixed(1)} ms an update, loss ${(value / parts).toFixed(3)}`,
    numbers: { rate },
    failed: !Number.isFinite(value),
  };
  yield* profiled("training", 30, () => bound.run());
  bound.dispose();
}

/** Greedy decoding with a cache. */
function* decodes(s: Shape, { model, params }: ReturnType<typeof modelOf>): Iterable<Row> {
  for (const batch of s.batches) {
    const step = compile(
      (p: GptParams, state: GptState, tokens: Tensor) => {
        const next = model.step(p, tokens, state);
        return { state: next.state, tokens: argmax(next.output, -1) };
      },
      { name: "decoding", donate: [1, 2], backend: "cuda", matmulPrecision: "bf16" },
    );
    // After a prompt whose keys and values stand for themselves: the work does not depend on them.
    const start = model.start(batch, { maximum: s.prompt + s.answer, perRow: true });
    const position = zeros([batch], "i32").set(s.prompt);
    const first = tensor(new Int32Array(batch), { shape: [batch, 1] });
    const bound = step.bind(params, { ...start, position }, first);
    const run = (n: number) =>
      timed(() => {
        for (let i = 0; i < n; i++) bound.run();
        bound.result.tokens.toArray();
      });
    const warm = Math.min(4, s.answer - 2);
    run(warm);
    const steps = s.answer - 1 - warm;
    const { seconds } = run(steps);
    yield {
      what: `decoding: batch ${batch}`,
      result: `${((batch * steps) / seconds).toFixed(0)} tokens/s, ${((seconds / steps) * 1e3).toFixed(2)} ms a step`,
      numbers: { rate: (batch * steps) / seconds },
    };
    if (batch !== s.batches[1]) yield* profiled(`decoding ${batch}`, 14, () => bound.run());
    bound.dispose();
  }
}

/** A language model in bf16 with the shape of Qwen2.5-0.5B. */
export const language: Section = {
  name: "language",
  *rows({ large }) {
    const shape = large ? shapes.large : shapes.small;
    const model = modelOf(shape);
    yield* decodes(shape, model);
    yield* trains(shape, model);
  },
};
