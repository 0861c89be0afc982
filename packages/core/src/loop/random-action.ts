import {
  add,
  broadcastTo,
  concat,
  div,
  eq,
  mul,
  random,
  slice,
  sum,
  type Tensor,
  type Tree,
  tensor,
  where,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Box, Space } from "../space.ts";
import { boundAt } from "../spaces/bounds.ts";
import { elements } from "../spaces/layout.ts";

/** Uniform random actions, one per row, as tensor operations, for the steps before training starts. `mask` is [rows, choices]. */
export function randomAction(space: Space, rows: number, key: Tensor, mask?: Tree): Tree {
  switch (space.kind) {
    case "discrete":
      return add(choice(key, rows, space.n, mask as Tensor | undefined), space.start);
    case "multiDiscrete":
      return choices(key, rows, space.sizes, mask as Tensor | undefined);
    case "multiBinary":
      return choices(key, rows, Array<number>(space.n).fill(2), mask as Tensor | undefined);
    case "box":
      return uniformBox(space, rows, key);
    case "simplex": {
      // Exponentials over their sum are uniform on the simplex.
      const parts = random.exponential(key, [rows, space.n]);
      return div(parts, sum(parts, { axis: -1, keepDims: true }));
    }
    case "dict": {
      const names = Object.keys(space.spaces);
      const keys = random.splitKey(key, names.length);
      const part = (name: string) => (mask as { [name: string]: Tree } | undefined)?.[name];
      return Object.fromEntries(
        names.map((n, i) => [n, randomAction(space.spaces[n], rows, keys[i], part(n))]),
      );
    }
    case "tuple": {
      const keys = random.splitKey(key, space.spaces.length);
      return space.spaces.map((s, i) => randomAction(s, rows, keys[i], (mask as Tree[] | undefined)?.[i]));
    }
    default:
      return fail(
        "randomAction",
        `${space.kind} actions cannot be sampled uniformly. Set learningStarts to 0.`,
      );
  }
}

function choice(key: Tensor, rows: number, n: number, mask?: Tensor): Tensor {
  if (!mask) return random.randint(key, [rows], 0, n);
  return random.categorical(key, where(mask, 0, -1e30));
}

function choices(key: Tensor, rows: number, sizes: readonly number[], mask?: Tensor): Tensor {
  const keys = random.splitKey(key, sizes.length);
  let at = 0;
  const parts = sizes.map((n, i) => {
    const own = mask && slice(mask, [null, [at, at + n]]);
    at += n;
    return choice(keys[i], rows, n, own).reshape([rows, 1]);
  });
  return concat(parts, 1);
}

/** Samples like `sample`: uniform between two bounds, exponential from one, normal without bounds; per dimension. */
function uniformBox(space: Box, rows: number, key: Tensor): Tensor {
  const shape = [rows, ...space.shape];
  const ends = Array.from({ length: elements(space) }, (_, i) => [
    boundAt(space.low, i),
    boundAt(space.high, i),
  ]);
  const isBounded = ends.map((e) => e.every(Number.isFinite));
  if (ends.every(([low, high]) => low === -Infinity && high === Infinity)) return random.normal(key, shape);
  const wide = (values: (number | boolean)[]) =>
    broadcastTo(tensor(values as number[]).reshape([1, ...space.shape]), shape);
  const low = wide(ends.map(([l], i) => (isBounded[i] ? l : 0)));
  const between = (k: Tensor) =>
    add(low, mul(random.uniform(k, shape), wide(ends.map(([l, h], i) => (isBounded[i] ? h - l : 0)))));
  if (isBounded.every(Boolean)) return between(key);
  const [inside, outside, beside] = random.splitKey(key, 3);
  const from = wide(ends.map(([l, h]) => (Number.isFinite(l) ? l : Number.isFinite(h) ? h : 0)));
  const side = wide(ends.map(([l, h]) => (Number.isFinite(l) ? 1 : Number.isFinite(h) ? -1 : 0)));
  const open = where(
    eq(side, 0),
    random.normal(outside, shape),
    add(from, mul(random.exponential(beside, shape), side)),
  );
  return where(wide(isBounded), between(inside), open);
}
