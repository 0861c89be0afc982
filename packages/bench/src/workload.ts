import {
  type Bound,
  compile,
  matmul,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  valueAndGradient,
  zeros,
  zerosLike,
} from "@reins/tensor";
import { type AdamOptions, type AdamState, adamStep } from "./adam.ts";
import type { GptSize, MlpSize, Size } from "./benchmarks.ts";
import { gptLoss, mlp, mlpLoss } from "./models.ts";
import { noise, streams, tokens } from "./noise.ts";
import { type Gpt, gptParameters, type Linear, mlpParameters, type Values } from "./parameters.ts";

export interface Placement {
  readonly backend: "native" | "wasm" | "reference";
  /** All cores by default. */
  readonly threads?: number;
}

/** A benchmark in Reins, compiled and bound. */
export interface Workload {
  run(): void;
  /** Values for verification: the result, or the loss and the first moments. */
  readonly results: Tree;
  /** Values for comparison with the peer after a call. */
  observe(): number[];
  explain(): string;
}

const make = ({ data, shape }: Values) => tensor(data, { shape });

/** Creates the workload of a benchmark. */
export function workload(name: string, size: Size, placement: Placement): Workload {
  const options = { name, ...placement };
  if (size.kind === "matmul") {
    const [a, b] = [1, 2].map((stream) =>
      make({ data: noise(size.n ** 2, stream, 1), shape: [size.n, size.n] }),
    );
    const f = compile((a: Tensor, b: Tensor) => matmul(a, b), options);
    return fixed(f.bind(a, b), () => f.explain(a, b));
  }
  if (size.kind === "forward") {
    const parameters = mlpParameters(size, make);
    const x = make(inputs(size));
    const f = compile((p: typeof parameters, x: Tensor) => mlp(p, x, size.activation), options);
    return fixed(f.bind(parameters, x), () => f.explain(parameters, x));
  }
  const step = size.kind === "gpt" ? gptStep(size, options) : mlpStep(size, options);
  const { run, result } = step.bind();
  return { run, results: result, observe: () => [result.loss.item()], explain: step.explain };
}

function fixed(bound: Bound<Tensor>, explain: () => string): Workload {
  // Entries from all over the result.
  const observe = () => {
    const { data } = bound.result;
    return Array.from({ length: Math.min(16, data.length) }, (_, i) => data[(i * 64901) % data.length]);
  };
  return { run: bound.run, results: bound.result, observe, explain };
}

function inputs({ batch, widths }: MlpSize): Values {
  return { data: noise(batch * widths[0], streams.x, 1), shape: [batch, widths[0]] };
}

/** The compiled update of a model with its arguments; parameters and optimiser state are donated. */
export interface TrainingStep {
  bind(): Bound<{ loss: Tensor; m: Tree }>;
  /** A call that continues from the last state; returns the loss. */
  call(): number;
  explain(): string;
}

type Options = Placement & { readonly name: string };

function mlpStep(size: MlpSize, options: Options): TrainingStep {
  const outputs = size.widths[size.widths.length - 1];
  const y = make({ data: noise(size.batch * outputs, streams.y, 1), shape: [size.batch, outputs] });
  const loss = (p: Linear<Tensor>[], x: Tensor, y: Tensor) => mlpLoss(p, x, y, size.activation);
  return update(mlpParameters(size, make), make(inputs(size)), y, loss, { learningRate: 1e-3 }, options);
}

export function gptStep(size: GptSize, options: Options): TrainingStep {
  const shape = [size.batch, size.tokens];
  const [ids, targets] = [streams.x, streams.y].map((s) =>
    tensor(tokens(size.batch * size.tokens, s, size.vocabulary), { shape }),
  );
  const loss = (p: Gpt<Tensor>, x: Tensor, y: Tensor) => gptLoss(p, x, y, size);
  return update(
    gptParameters(size, make),
    ids,
    targets,
    loss,
    { learningRate: 3e-4, weightDecay: 0.01 },
    options,
  );
}

function update<P extends Tree>(
  parameters: P,
  x: Tensor,
  y: Tensor,
  loss: (p: P, x: Tensor, y: Tensor) => Tensor,
  rule: AdamOptions,
  options: Options,
): TrainingStep {
  const differentiated = valueAndGradient(loss);
  const step = compile(
    (p: P, state: AdamState<P>, x: Tensor, y: Tensor) => {
      const { value, gradient } = differentiated(p, x, y);
      return { ...adamStep(p, gradient, state, rule), loss: value };
    },
    { ...options, donate: [0, 1] },
  ) as Plain<P>;
  const moments = () => treeMap(zerosLike, parameters);
  let state = { m: moments(), v: moments(), step: zeros([]) };
  return {
    bind: () => {
      const { result, run, dispose } = step.bind(parameters, state, x, y);
      return { result: { loss: result.loss, m: result.state.m }, run, dispose };
    },
    call: () => {
      const next = step(parameters, state, x, y);
      ({ parameters, state } = next);
      return next.loss.item();
    },
    explain: () => step.explain(parameters, state, x, y),
  };
}

/** A compiled step without the argument types of `Compiled`, which the compiler cannot expand for any `P`. */
type Plain<P> = ((...args: StepArguments<P>) => StepResult<P>) & {
  bind(...args: StepArguments<P>): Bound<StepResult<P>>;
  explain(...args: StepArguments<P>): string;
};
type StepArguments<P> = [parameters: P, state: AdamState<P>, x: Tensor, y: Tensor];
type StepResult<P> = { parameters: P; state: AdamState<P>; loss: Tensor };
