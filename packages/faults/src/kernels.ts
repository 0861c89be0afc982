/** A process that compiles a few functions and prints a digest of the results of each. */
import { createHash } from "node:crypto";
import {
  add,
  compile,
  matmul,
  mean,
  mul,
  scan,
  softmax,
  sub,
  sum,
  type Tensor,
  tanh,
  tensor,
  valueAndGradient,
} from "@reins/tensor";

const numbers = (...shape: readonly number[]) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Float32Array.from({ length: size }, (_, i) => Math.fround(((i * 37) % 101) / 50 - 1)),
    { shape },
  );
};

/** Row kernels, products with gradients, a loop: each a separate program in the cache. */
const functions: { readonly [name: string]: () => Tensor } = {
  softmax: () => compile((x: Tensor) => softmax(mul(x, 3)))(numbers(7, 33)),
  gradient: () =>
    compile((w: Tensor, x: Tensor) => {
      const loss = (v: Tensor) => mean(mul(tanh(matmul(x, v)), 0.5));
      return valueAndGradient(loss)(w).gradient;
    })(numbers(16, 8), numbers(32, 16)),
  loop: () =>
    compile(
      (x: Tensor) => scan((c: Tensor, row: Tensor) => [add(mul(c, 0.9), row), c], numbers(12), x).carry,
    )(numbers(20, 12)),
  columns: () => compile((x: Tensor) => sub(sum(x, 0), mean(x)))(numbers(40, 17)),
};

const result: Record<string, string> = {};
for (const [name, f] of Object.entries(functions)) {
  const { data } = f();
  result[name] = createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex");
}
process.stdout.write(`${JSON.stringify(result)}\n`);
