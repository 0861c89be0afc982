import { newModel } from "@reins/language";
import { adamW, clipGlobalNorm, type GptParams, type OptimiserState } from "@reins/nn";
import {
  type BackendName,
  compile,
  crossEntropy,
  ones,
  random,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { streams, tokens } from "../noise.ts";
import { stream } from "../parameters.ts";
import type { TrainingSize } from "./benchmarks.ts";

/** A training step, bound to its model and batch; `loss` is the last one. */
export interface Training {
  run(): void;
  loss(): number;
}

/** Forward, backward, clipping and AdamW, in one compiled function. */
export function training(size: TrainingSize, backend?: BackendName): Training {
  const { model, params } = newModel({ ...size, context: size.tokens, style: "llama" }, random.key(0));
  const start = fromStreams(params);
  const optimiser = adamW({ learningRate: 3e-4, weightDecay: 0.01 });
  const differentiated = valueAndGradient((p: GptParams, x: Tensor, y: Tensor) =>
    crossEntropy(model.apply(p, x), y),
  );
  const step = compile(
    (p: GptParams, state: OptimiserState<GptParams>, x: Tensor, y: Tensor) => {
      const { value, gradient } = differentiated(p, x, y);
      const { gradients } = clipGlobalNorm(gradient, 1);
      return { ...optimiser.update(gradients, state, p), loss: value };
    },
    { name: "language training", donate: [0, 1], backend },
  );
  const shape = [size.batch, size.tokens];
  const [x, y] = [streams.x, streams.y].map((s) =>
    tensor(tokens(size.batch * size.tokens, s, size.vocabulary), { shape }),
  );
  const { run, result } = step.bind(start, optimiser.init(start), x, y);
  return { run, loss: () => result.loss.item() };
}

/** Parameters from random streams, in the order of `peers/language.py`. */
function fromStreams(params: GptParams): GptParams {
  const draw = stream(({ data, shape }) => tensor(data, { shape }));
  const linear = ({ weight: { shape } }: { weight: Tensor }) => ({
    weight: draw([...shape], shape[0] ** -0.5),
  });
  const norm = ({ scale }: { scale: Tensor }) => ({ scale: ones(scale.shape) });
  return {
    tokens: { table: draw([...params.tokens.table.shape], 0.05) },
    blocks: params.blocks.map((b) => ({
      norm1: norm(b.norm1),
      norm2: norm(b.norm2),
      attention: { qkv: linear(b.attention.qkv), output: linear(b.attention.output) },
      feedForward: { up: linear(b.feedForward.up), down: linear(b.feedForward.down) },
    })),
    norm: norm(params.norm),
    head: linear(params.head!),
  };
}
