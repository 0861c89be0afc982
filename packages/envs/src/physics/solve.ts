import { minus, type Num, over, times } from "./num.ts";

/**
 * Solves `matrix` · x = `right` for a mass matrix, whose entry [i][j] is nonzero for j = i and for the coordinates
 * before i in its chain (`chains[i]`). Elimination from the leaves to the root creates no fill-in (Featherstone,
 * Rigid Body Dynamics Algorithms, 2008, section 6.5).
 */
export function solveTree(
  chains: readonly (readonly number[])[],
  matrix: readonly (readonly Num[])[],
  right: readonly Num[],
): Num[] {
  const m = matrix.map((row) => [...row]);
  const x = [...right];
  const inverse: Num[] = [];
  for (let k = x.length - 1; k >= 0; k--) {
    inverse[k] = over(1, m[k][k]);
    const chain = chains[k];
    for (let a = chain.length - 1; a >= 0; a--) {
      const i = chain[a];
      if (m[k][i] === 0) continue;
      const factor = times(m[k][i], inverse[k]);
      for (const j of [...chain.slice(0, a), i]) m[i][j] = minus(m[i][j] ?? 0, times(factor, m[k][j]));
      x[i] = minus(x[i], times(factor, x[k]));
      m[k][i] = factor;
    }
  }
  for (let k = 0; k < x.length; k++) {
    x[k] = times(x[k], inverse[k]);
    for (const i of chains[k]) x[k] = minus(x[k], times(m[k][i] ?? 0, x[i]));
  }
  return x;
}
