import { fail } from "@reins/core";
import type { States } from "./graph.ts";
import type { Product } from "./tree.ts";
import type { Work } from "./work.ts";

/** The interface of automata in a product. */
export interface Reader {
  readonly start: number;
  /** The first byte of each equivalence class, in order. */
  readonly examples: readonly number[];
  next(state: number, byte: number): number;
  accepts(state: number): boolean;
}

/** The state from which no text can be completed. */
export const dead = -1;

const most = 50_000;

/** Runs two automata in parallel through all jointly reachable states. */
export function productOf(left: Reader, right: Reader, keep: Product["keep"], work: Work): States {
  const starts = [...new Set([...left.examples, ...right.examples])].sort((a, b) => a - b);
  const pairs: [number, number][] = [];
  const known = new Map<string, number>();
  const find = (l: number, r: number): number => {
    // Texts of the first alone may continue after the second has rejected them.
    if (l === dead || (r === dead && keep === "both")) return dead;
    const key = `${l} ${r}`;
    const found = known.get(key) ?? pairs.push([l, r]) - 1;
    known.set(key, found);
    return found;
  };
  if (find(left.start, right.start) === dead) return [];
  const states: { ways: { range: [number, number]; to: number }[]; accepts: boolean }[] = [];
  for (let i = 0; i < pairs.length; i++) {
    if (i >= most)
      fail("constraint", `the product of two conditions has more than ${most} states. Simplify one of them.`);
    const [l, r] = pairs[i];
    const ways: { range: [number, number]; to: number }[] = [];
    work.spend(starts.length);
    starts.forEach((byte, kind) => {
      const to = find(left.next(l, byte), r === dead ? dead : right.next(r, byte));
      if (to === dead) return;
      const [before, end] = [ways[ways.length - 1], (starts[kind + 1] ?? 256) - 1];
      if (before && before.to === to && before.range[1] === byte - 1) before.range[1] = end;
      else ways.push({ range: [byte, end], to });
    });
    const inRight = r !== dead && right.accepts(r);
    states.push({ ways, accepts: left.accepts(l) && inRight === (keep === "both") });
  }
  return states;
}
