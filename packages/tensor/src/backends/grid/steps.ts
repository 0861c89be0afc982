import type { Program, Step } from "../../kernel/program.ts";

/** Iterations of a loop, at most. */
export const iterationsOf = ({ count, most }: Step & { kind: "loop" }): number =>
  typeof count === "number" ? Math.min(count, most) : most;

/** Scratch bytes of each kernel, the most that any of its calls needs. */
export function scratchOf(program: Program): number[] {
  const out = program.kernels.map(() => 0);
  const visit = (list: readonly Step[]): void => {
    for (const s of list) {
      if (s.kind === "loop") visit(s.body);
      else if (s.kind === "call" && program.kernels[s.kernel].params.some((p) => p.scratch))
        out[s.kernel] = Math.max(out[s.kernel], s.scratchBytes ?? program.scratchBytes);
    }
  };
  visit(program.steps);
  return out;
}

/** One more than the largest number of a loop. */
export function countLoops(list: readonly Step[]): number {
  return list.reduce((n, s) => (s.kind === "loop" ? Math.max(n, s.loop + 1, countLoops(s.body)) : n), 0);
}
