import { laneCount, type Stmt } from "../../kernel/kernel.ts";
import type { For } from "../native/analysis.ts";

/** The loop that ends a block and follows only values. */
export function onlyLoop(body: readonly Stmt[]): For | undefined {
  const last = body[body.length - 1];
  const plain = body.slice(0, -1).every((s) => s.kind === "let" || s.kind === "load");
  return plain && last?.kind === "for" ? last : undefined;
}

/** The vector loops of a body, also inside other statements. */
export function vectorLoops(list: readonly Stmt[]): For[] {
  return list.flatMap((s) => {
    if (s.kind === "for") return s.vector ? [s] : vectorLoops(s.body);
    if (s.kind === "while") return [...vectorLoops(s.test), ...vectorLoops(s.body)];
    if (s.kind === "if") return [...vectorLoops(s.then), ...vectorLoops(s.else ?? [])];
    return [];
  });
}

/** The longest extent; those that are unknown count as `unknown`. */
export const longestOf = (loops: readonly For[], unknown: number): number =>
  loops.reduce((n, l) => Math.max(n, typeof l.extent === "number" ? l.extent : unknown), 0);

/** Threads of a group that shares a loop: a power of two, at least the lanes and at most `most`. */
export function widthOf(longest: number, most: number): number {
  let width = laneCount;
  while (width < longest && width < most) width *= 2;
  return width;
}
