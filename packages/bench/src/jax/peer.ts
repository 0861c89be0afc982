import { readFileSync } from "node:fs";
import { blockUntilReady, jit, numpy as np, tree, valueAndGrad } from "@jax-js/jax";
import type { AdamOptions } from "../adam.ts";
import type { Size } from "../benchmarks.ts";
import { noise, streams, tokens } from "../noise.ts";
import { gptParameters, mlpParameters, type Values } from "../parameters.ts";
import { type AdamState, adamStep } from "./adam.ts";
import { gptLoss, mlp, mlpLoss } from "./models.ts";

/** A benchmark's work. */
export interface Work {
  /** One call without waiting: reading the returned array finishes the work. */
  call(): np.Array;
  /** Waits for pending work. */
  settle(): Promise<unknown>;
}

const alone = (call: () => np.Array): Work => ({ call, settle: async () => {} });

const make = ({ data, shape }: Values) => np.array(data).reshape([...shape]);

/** The work of a benchmark in jax-js. */
export function work(size: Size): Work {
  if (size.kind === "matmul") {
    const [a, b] = [1, 2].map((stream) =>
      make({ data: noise(size.n ** 2, stream, 1), shape: [size.n, size.n] }),
    );
    const f = jit((a: np.Array, b: np.Array) => np.matmul(a, b));
    return alone(() => f(a.ref, b.ref));
  }
  if (size.kind === "gpt") {
    const [ids, targets] = [streams.x, streams.y].map((s) =>
      np.array(tokens(size.batch * size.tokens, s, size.vocabulary)).reshape([size.batch, size.tokens]),
    );
    const loss = (p: ReturnType<typeof gptParameters<np.Array>>, x: np.Array, y: np.Array) =>
      gptLoss(p, x, y, size);
    return training(gptParameters(size, make), ids, targets, loss, { learningRate: 3e-4, weightDecay: 0.01 });
  }
  const { batch, widths, activation } = size;
  const x = make({ data: noise(batch * widths[0], streams.x, 1), shape: [batch, widths[0]] });
  const parameters = mlpParameters(size, make);
  if (size.kind === "forward") {
    // With the parameters captured rather than passed, a call is about a quarter faster.
    const f = jit((x: np.Array) => mlp(tree.ref(parameters), x, activation));
    return alone(() => f(x.ref));
  }
  const outputs = widths[widths.length - 1];
  const y = make({ data: noise(batch * outputs, streams.y, 1), shape: [batch, outputs] });
  return training(parameters, x, y, (p, x, y) => mlpLoss(p, x, y, activation), { learningRate: 1e-3 });
}

function training<P extends tree.JsTree<np.Array>>(
  parameters: P,
  x: np.Array,
  y: np.Array,
  loss: (p: P, x: np.Array, y: np.Array) => np.Array,
  rule: AdamOptions,
): Work {
  const [flat, structure] = tree.flatten<np.Array>(parameters);
  const lossOf = (p: np.Array[], x: np.Array, y: np.Array) => loss(tree.unflatten(structure, p) as P, x, y);
  const step = jit((p: np.Array[], state: AdamState, x: np.Array, y: np.Array) => {
    const [value, g] = valueAndGrad(lossOf)(tree.ref(p), x, y) as [np.Array, np.Array[]];
    return { ...adamStep(p, g, state, rule), loss: value };
  });
  const moments = () => flat.map((p) => np.zeros(p.shape));
  let [p, state]: [np.Array[], AdamState] = [flat, { m: moments(), v: moments(), step: np.array(0) }];
  const call = () => {
    const next = step(p, state, x.ref, y.ref);
    ({ p, state } = next);
    return next.loss;
  };
  return { call, settle: () => blockUntilReady([p, state]) };
}

/** The installed version. */
export function version(): string {
  const entry = import.meta.resolve("@jax-js/jax");
  return JSON.parse(readFileSync(new URL("../package.json", entry), "utf8")).version;
}
