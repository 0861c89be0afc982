import type { Generator as Random } from "@reins/core/random";
import type { Generated } from "../generation/sequence.ts";

/** A generated token in a tree of texts. */
export interface TreeToken {
  readonly token: number;
  readonly logProb: number;
  readonly version: number;
  readonly branch: Branch;
  /** Its index among the branch's own tokens. */
  readonly place: number;
}

/** A branch generated at once: a whole answer, or another continuation of one. */
export interface Branch {
  /** Tokens before it, from other branches. */
  readonly before: readonly TreeToken[];
  readonly own: readonly TreeToken[];
  readonly text: Generated;
  /** Positions at which other branches fork off. */
  readonly left: Set<number>;
}

/** A branch that continues earlier tokens. */
export function branch(before: readonly TreeToken[], text: Generated): Branch {
  const own: TreeToken[] = [];
  const grown: Branch = { before, own, text, left: new Set() };
  text.tokens.forEach((token, place) =>
    own.push({
      token,
      logProb: text.logProb[place],
      version: text.version[place],
      branch: grown,
      place,
    }),
  );
  return grown;
}

/** Criterion for fork positions; see {@link forksOf}. */
export type Fork = "surprise" | "entropy" | "random";

/**
 * Fork positions of a tree: the highest-ranked positions, each once. `surprise`: where an unlikely token was sampled
 * (TreeRL, Hou et al., 2025). `entropy`: where the model was least certain. `random`: anywhere. The last `margin`
 * tokens of each branch are excluded.
 */
export function forksOf(
  branches: readonly Branch[],
  { count, by, margin }: { count: number; by: Fork; margin: number },
  random: Random,
): TreeToken[] {
  const rank = ({ branch: { text }, place }: TreeToken) =>
    ({
      surprise: () => -text.logProb[place],
      entropy: () => text.entropy[place],
      random: () => random.random(),
    })[by]();
  const places = branches
    .flatMap((b) => b.own.slice(0, Math.max(0, b.own.length - margin)).filter((w) => !b.left.has(w.place)))
    .map((at) => ({ at, rank: rank(at) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ at }) => at);
  for (const { branch: b, place } of places) b.left.add(place);
  return places;
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
  const nodeOf = ({ branch: b, place }: TreeToken) =>
    first.get(b)! + [...b.left].filter((at) => at <= place).length;
  return branches.map((b) => [...b.before, ...b.own].map(nodeOf));
}
