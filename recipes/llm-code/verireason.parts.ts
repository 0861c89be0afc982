import type { Program } from "../shared/code-rewards.ts";

/** The statements of a program, of three characters each. */
const statementsOf = (program: string): string[] => program.match(/.{1,3}/gs) ?? [];

/** Number of statements in matching blocks: the longest common block, and those to its left and right (Ratcliff and Obershelp, 1988). */
export function matching(a: readonly string[], b: readonly string[]): number {
  let [length, atA, atB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++)
    for (let k = 0; k < b.length; k++) {
      let n = 0;
      while (i + n < a.length && k + n < b.length && a[i + n] === b[k + n]) n++;
      if (n > length) [length, atA, atB] = [n, i, k];
    }
  if (length === 0) return 0;
  const left = matching(a.slice(0, atA), b.slice(0, atB));
  return left + length + matching(a.slice(atA + length), b.slice(atB + length));
}

/** Structural similarity to the reference: matching statements, those of the reference that occur, and less for those that it lacks. */
export function similarity(text: string, reference: string): number {
  const [own, golden] = [statementsOf(text), statementsOf(reference)];
  const [set, goldenSet] = [new Set(own), new Set(golden)];
  const ratio = (2 * matching(own, golden)) / (own.length + golden.length);
  const coverage = [...goldenSet].filter((s) => set.has(s)).length / goldenSet.size;
  const redundancy = [...set].filter((s) => !goldenSet.has(s)).length / set.size;
  return Math.min(1, Math.max(0, 0.7 * ratio + 0.3 * coverage - 0.2 * redundancy));
}

/** 0 for a program that does not compile, 2.1 for one that passes the test bench, and otherwise 0.1 plus the similarity to the reference. */
export const guided =
  (structure: boolean) =>
  ({ failure, right, text, reference }: Program): number => {
    if (failure === "compile") return 0;
    return right ? 2.1 : 0.1 + (structure ? similarity(text, reference) : 0);
  };
