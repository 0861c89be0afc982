import type { Generator as Random } from "@reins/core/random";
import type { Generated } from "../generation/sequence.ts";
import type { Span } from "../generation/span.ts";

/** A branch generated at once: a whole answer, or another continuation of one. */
export interface Branch {
  /** What precedes it: the first tokens of other branches. */
  readonly before: readonly Prefix[];
  readonly text: Generated;
  /** Positions at which other branches fork off. */
  readonly left: Set<number>;
}

/** The first `length` tokens of a branch. */
export interface Prefix {
  readonly branch: Branch;
  readonly length: number;
}

/** A branch that continues earlier tokens. */
export const branch = (before: readonly Prefix[], text: Generated): Branch => ({
  before,
  text,
  left: new Set(),
});

/** All tokens from the root to the end of a branch. */
export const pathTo = (leaf: Branch): Prefix[] => [
  ...leaf.before,
  { branch: leaf, length: leaf.text.tokens.length },
];

/** The tokens of a prefix as a span. */
export function spanOfPrefix({ branch: { text }, length }: Prefix): Span {
  const { tokens, logProb, version, kept } = text;
  const cut = <T>(column: readonly T[]) => column.slice(0, length);
  return {
    by: "policy",
    tokens: cut(tokens),
    logProb: cut(logProb),
    version: cut(version),
    ...(kept ? { kept: cut(kept) } : {}),
  };
}

/** Criterion for fork positions; see {@link forksOf}. */
export type Fork = "surprise" | "entropy" | "random";

/**
 * Fork positions of a tree: the highest-ranked positions, each once; a new branch follows the prefix before it.
 * `surprise`: where an unlikely token was sampled (TreeRL, Hou et al., 2025). `entropy`: where the model was least
 * certain. `random`: anywhere. The last `margin` tokens of each branch are excluded.
 */
export function forksOf(
  branches: readonly Branch[],
  { count, by, margin }: { count: number; by: Fork; margin: number },
  random: Random,
): Prefix[] {
  const rank = ({ branch: { text }, length: at }: Prefix) =>
    ({
      surprise: () => -text.logProb[at],
      entropy: () => text.entropy[at],
      random: () => random.random(),
    })[by]();
  const forks = branches
    .flatMap((b) =>
      b.text.tokens
        .slice(0, Math.max(0, b.text.tokens.length - margin))
        .flatMap((_, at): Prefix[] => (b.left.has(at) ? [] : [{ branch: b, length: at }])),
    )
    .map((at) => ({ at, rank: rank(at) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ at }) => at);
  for (const { branch: b, length } of forks) b.left.add(length);
  return forks;
}

/**
 * For each branch the nodes of all tokens from the root to its end, numbered from 1: a node ends where a branch forks
 * off.
 */
export function nodesOf(branches: readonly Branch[]): number[][] {
  const first = new Map<Branch, number>();
  let next = 1;
  for (const b of branches) {
    first.set(b, next);
    next += b.left.size + 1;
  }
  const nodes = ({ branch: b, length }: Prefix) =>
    Array.from({ length }, (_, i) => first.get(b)! + [...b.left].filter((at) => at <= i).length);
  return branches.map((b) => pathTo(b).flatMap(nodes));
}
