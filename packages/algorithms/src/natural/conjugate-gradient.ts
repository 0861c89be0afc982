import {
  add,
  div,
  gt,
  leaves,
  matchLeaves,
  mul,
  scan,
  sub,
  sum,
  type Tensor,
  type Tree,
  treeMap,
  where,
  zerosLike,
} from "@reins/tensor";

/** The inner product of two trees of the same structure. */
export const inner = (a: Tree, b: Tree): Tensor =>
  matchLeaves(a, b, "inner", "the second tree")
    .map((y, i) => sum(mul(leaves(a)[i], y)))
    .reduce((total, t) => add(total, t));

/** `a` times one tree plus another. */
export const along = <T extends Tree>(from: T, a: Tensor | number, direction: T): T =>
  treeMap((x: Tensor, d: Tensor) => add(x, mul(d, a)), from, direction);

/**
 * Solves A x = b by conjugate gradients for a symmetric positive-definite A given as a matrix-vector product
 * (Hestenes and Stiefel, 1952). Once the squared residual has fallen to `tolerance` of its initial value, further
 * steps change nothing.
 */
export function conjugateGradient<T extends Tree>(
  product: (x: T) => T,
  b: T,
  steps: number,
  tolerance = 1e-10,
): T {
  const first = inner(b, b);
  const enough = mul(first, tolerance);
  type State = { x: T; residual: T; direction: T; square: Tensor };
  const { carry } = scan(
    ({ x, residual, direction, square }: State, _: undefined) => {
      const image = product(direction);
      const open = gt(square, enough);
      const length = where(open, div(square, inner(direction, image)), 0);
      const left = treeMap((r: Tensor, z: Tensor) => sub(r, mul(z, length)), residual, image);
      const after = inner(left, left);
      const turned = along(left, where(open, div(after, square), 0), direction);
      return [
        { x: along(x, length, direction), residual: left, direction: turned, square: after },
        undefined,
      ] as const;
    },
    { x: treeMap(zerosLike, b), residual: b, direction: b, square: first } as State,
    undefined,
    { length: steps },
  );
  return carry.x;
}
