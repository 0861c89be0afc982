import { add, random, type Tensor, type Tree } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Distribution } from "./distribution.ts";

type AnyDistribution = Distribution<Tree>;
/** The values of a list or a record of distributions, in the same nesting. */
type Values<D> = { -readonly [K in keyof D]: D[K] extends Distribution<infer A> ? A : never };

/** Return type of {@link joint}. */
export interface Joint<D, A extends Tree> extends Distribution<A> {
  readonly parts: D;
}

/**
 * Independent distributions of tuple and dict actions: `joint([move, aim])`, `joint({ move, aim })`. Values have the same
 * nesting; log-probabilities, entropies and divergences are summed, and estimated if a part has no closed form.
 */
export function joint<const D extends readonly AnyDistribution[] | Record<string, AnyDistribution>>(
  parts: D,
): Joint<D, Values<D> & Tree> {
  const names = Object.keys(parts);
  if (names.length === 0) fail("joint", "expected at least one distribution.");
  const part = (of: unknown, name: string) => (of as Record<string, Distribution<Tree>>)[name];
  const value = (x: unknown, name: string) => (x as Record<string, Tree>)[name];
  const keys = (key: Tensor | undefined): (Tensor | undefined)[] =>
    key ? random.splitKey(key, names.length) : [];
  const total = (f: (d: Distribution<Tree>, name: string, i: number) => Tensor) =>
    names.map((n, i) => f(part(parts, n), n, i)).reduce((a, b) => add(a, b));
  const collect = (f: (d: Distribution<Tree>, name: string, i: number) => Tree) => {
    const values = names.map((n, i) => f(part(parts, n), n, i));
    return (
      Array.isArray(parts) ? values : Object.fromEntries(names.map((n, i) => [n, values[i]]))
    ) as Values<D> & Tree;
  };
  return {
    parts,
    sample(key) {
      const own = keys(key);
      return collect((d, _, i) => d.sample(own[i]!));
    },
    logProb: (x) => total((d, n) => d.logProb(value(x, n))),
    mode: () => collect((d) => d.mode()),
    mean: () =>
      collect((d, n) => d.mean?.() ?? fail("mean of joint", `part "${n}" has no mean. Use mode().`)),
    entropy(key) {
      const own = keys(key);
      return total((d, _, i) => d.entropy(own[i]));
    },
    kl(other, key) {
      const own = keys(key);
      return total((d, n, i) => d.kl(part(other.parts, n), own[i]));
    },
  };
}
