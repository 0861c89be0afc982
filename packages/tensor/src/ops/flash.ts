import { apply } from "../apply.ts";
import { currentGraph } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { mul } from "./arithmetic.ts";
import { perSetting } from "./composite.ts";
import { reshape, slice } from "./movement.ts";
import { sum } from "./reduce.ts";

/** Widths of heads for which there are kernels, and the fewest positions for which they pay. */
const widths = [16, 32, 64, 96, 128];
const fewest = 16;

/** Whether attention on these operands, with equal leading axes, has kernels where the current function is compiled for. */
export function hasFlash(q: Tensor, k: Tensor, v: Tensor): boolean {
  const [positions, width] = q.shape.slice(-2);
  return (
    currentGraph()?.fast === true &&
    [q, k, v].every((t) => t.dtype === "f32" && t.rank === q.rank && t.shape[t.rank - 1] === width) &&
    q.rank <= 6 &&
    sizeOf(q.shape) > 0 &&
    widths.includes(width) &&
    positions >= fewest
  );
}

interface Settings {
  readonly scale: number;
  readonly causal: boolean;
}

/** Outputs, and behind them the logarithm of the sum of exponentials of each query. */
function outputs(q: Tensor, k: Tensor, v: Tensor, how: Settings): Tensor {
  const queries = sizeOf(q.shape.slice(0, -1));
  return apply("flash", [q, k, v], { part: "output", ...how }, [sizeOf(q.shape) + queries], "f32");
}

const withSettings = perSetting((scale: number) => ({
  causal: attentionOf({ scale, causal: true }),
  all: attentionOf({ scale, causal: false }),
}));

const attentionOf = (how: Settings) =>
  customGradient(
    (q: Tensor, k: Tensor, v: Tensor) =>
      reshape(slice(outputs(q, k, v, how), [[0, sizeOf(q.shape)]]), q.shape),
    (g, y, q, k, v) => {
      const sums = sum(mul(g, y), -1);
      const inputs = [q, k, v, outputs(q, k, v, how), g, sums];
      const both = apply("flash", inputs, { part: "keys", ...how }, [2, ...k.shape], "f32");
      const one = (i: number) => reshape(slice(both, [[i, i + 1]]), k.shape);
      return [apply("flash", inputs, { part: "queries", ...how }, q.shape, "f32"), one(0), one(1)];
    },
  );

/** Attention on tensor cores, without a matrix of weights in memory: operands are rounded to bf16. */
export function flash(q: Tensor, k: Tensor, v: Tensor, { scale, causal }: Settings): Tensor {
  return withSettings(scale)[causal ? "causal" : "all"](q, k, v);
}
