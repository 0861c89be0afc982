import {
  add,
  full,
  mul,
  reshape,
  type Shape,
  type Tensor,
  ones as tensorOnes,
  zeros as tensorZeros,
  transpose,
} from "@reins/tensor";
import { fans } from "./fans.ts";
import { noise } from "./noise.ts";
import { matrixShape, orthonormalRows } from "./orthogonal.ts";

export { type Fans, fans } from "./fans.ts";

/** Makes the initial values of a parameter. */
export type Initialiser = (key: Tensor, shape: Shape) => Tensor;

/** All 0, for biases. */
export const zeros: Initialiser = (_, shape) => tensorZeros(shape);

/** All 1, for the scales of norms. */
export const ones: Initialiser = (_, shape) => tensorOnes(shape);

/** One value everywhere. */
export const constant =
  (value: number): Initialiser =>
  (_, shape) =>
    full(shape, value);

/** Normal numbers; a larger `deviation` makes the initial outputs larger (0.02 in GPT-2). */
export const normal =
  (deviation = 1): Initialiser =>
  (key, shape) =>
    mul(noise("normal", key, shape), deviation);

/** Uniform numbers from -`bound` to `bound`. */
export const uniform =
  (bound = 1): Initialiser =>
  (key, shape) =>
    add(mul(noise("uniform", key, shape), 2 * bound), -bound);

/** Normal numbers truncated at two deviations; `deviation` is that of the distribution before truncation, as in PyTorch. */
export const truncatedNormal =
  (deviation = 1): Initialiser =>
  (key, shape) =>
    mul(noise("truncated", key, shape), deviation);

/** Orthonormal rows or columns, whichever are fewer, times `gain`: √2 before ReLU or tanh in PPO, 0.01 for the policy's last layer, 1 for the value's. */
export const orthogonal =
  (gain = 1): Initialiser =>
  (key, shape) => {
    const [rows, columns] = matrixShape(shape);
    const wide = rows <= columns;
    const q = orthonormalRows(noise("normal", key, wide ? [rows, columns] : [columns, rows]));
    return mul(reshape(wide ? q : transpose(q), shape), gain);
  };

/** Glorot and Bengio (2010), uniform: preserves the variance of tanh layers in both directions. `gain` scales it. */
export const xavierUniform =
  (gain = 1): Initialiser =>
  (key, shape) => {
    const f = fans(shape);
    return uniform(gain * Math.sqrt(6 / (f.in + f.out)))(key, shape);
  };

/** Glorot and Bengio (2010), normal. */
export const xavierNormal =
  (gain = 1): Initialiser =>
  (key, shape) => {
    const f = fans(shape);
    return normal(gain * Math.sqrt(2 / (f.in + f.out)))(key, shape);
  };

/** He et al. (2015), uniform: preserves the variance of ReLU layers. `gain` is √2 for ReLU; 1/√3 gives PyTorch's default for linear layers. */
export const kaimingUniform =
  (gain = Math.SQRT2): Initialiser =>
  (key, shape) =>
    uniform(gain * Math.sqrt(3 / fans(shape).in))(key, shape);

/** He et al. (2015), normal. */
export const kaimingNormal =
  (gain = Math.SQRT2): Initialiser =>
  (key, shape) =>
    normal(gain / Math.sqrt(fans(shape).in))(key, shape);
