import { type Dim, isFixed, numberIn, numbersIn, type Step, sameDims, sizeOf } from "../graph.ts";
import type { Writer } from "./writer.ts";

/** A convolution in a graph: windows over the spatial axes, reshaped to rows and multiplied by a matrix. */
interface Convolution {
  readonly x: number;
  readonly weight: number;
  readonly channels: number;
  readonly outputs: number;
  /** Window size along each axis. */
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

/** Writes a Conv node if this step is the last of a convolution, since runtimes have fast kernels; otherwise undefined. */
export function convolution(w: Writer, step: Step): string | undefined {
  const found = findIn(w, step);
  if (!found) return undefined;
  const { x, weight, channels, outputs, sizes, strides, dilations } = found;
  const { name, tensor } = w.weightAt(weight);
  const inner = channels * sizeOf(sizes);
  // The kernel has a row for each output; the matrix has a column.
  const turned = Float32Array.from(
    { length: tensor.size },
    (_, i) => tensor.data[(i % inner) * outputs + Math.floor(i / inner)],
  );
  const kernel = w.keepOnce(`${name}.kernel`, "f32", [outputs, channels, ...sizes], turned);
  return w.add("Conv", [w.at(x), kernel], { kernel_shape: sizes, strides, dilations });
}

/** Matches the steps of `conv1d` and `conv2d` backwards from the last one. */
function findIn({ steps }: Writer, last: Step): Convolution | undefined {
  const spaces = last.shape.length - 2;
  if (last.op !== "permute" || spaces < 1 || spaces > 2) return undefined;
  const behind = (step: Step, op: Step["op"]) => {
    const before = steps[step.inputs[0]];
    return before.op === op ? before : undefined;
  };
  const out = behind(last, "reshape");
  const product = out && behind(out, "matmul");
  const rows = product && behind(product, "reshape");
  const turned = rows && behind(rows, "permute");
  if (!turned || steps[product.inputs[1]].op !== "weight") return undefined;
  const windows: Step[] = [];
  let from: Step = turned;
  for (let i = 0; i < spaces; i++) {
    const before = behind(from, "windows");
    if (!before) return undefined;
    windows.unshift(before);
    from = before;
  }
  const [x] = from.inputs;
  const [count, channels] = steps[x].shape;
  const matrix = steps[product.inputs[1]].shape;
  if (!isFixed(matrix) || typeof channels !== "number") return undefined;
  const [inner, outputs] = matrix;
  const sizes = windows.map((step) => numberIn(step, "size"));
  const places = windows.map((step, i): Dim => step.shape[2 + 2 * i]);
  const inOrder = (step: Step, order: readonly number[]) => `${numbersIn(step, "axes")}` === `${order}`;
  const isOne =
    windows.every((step, i) => numberIn(step, "axis") === 2 + 2 * i) &&
    inOrder(last, spaces === 2 ? [0, 3, 1, 2] : [0, 2, 1]) &&
    inOrder(turned, spaces === 2 ? [0, 2, 4, 1, 3, 5] : [0, 2, 1, 3]) &&
    inner === channels * sizeOf(sizes) &&
    sameDims(out.shape, [count, ...places, outputs]);
  if (!isOne) return undefined;
  const all = (name: string) => windows.map((step) => numberIn(step, name));
  const about = { sizes, strides: all("stride"), dilations: all("dilation") };
  return { x, weight: product.inputs[1], channels, outputs, ...about };
}
