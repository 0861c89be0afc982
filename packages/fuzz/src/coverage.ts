import { type Arg, type Node, type Program, refsOf } from "./program.ts";

/** Counts of "producer>consumer": an operation, and one that reads its result. */
export type Pairs = Map<string, number>;

export function countPairs(p: Program, pairs: Pairs): void {
  const makers = new Map<number, string>(p.inputs.map((i) => [i.id, `input:${i.dtype}`]));
  const visit = (nodes: readonly Node[]) => {
    for (const n of nodes) {
      for (const block of n.blocks ?? []) {
        for (const id of refsOf(block.params as Arg)) makers.set(id, "parameter");
        visit(block.nodes);
      }
      for (const id of refsOf(n.args as Arg)) {
        const key = `${makers.get(id) ?? "?"}>${n.op}`;
        pairs.set(key, (pairs.get(key) ?? 0) + 1);
      }
      for (const { id } of n.outs) makers.set(id, n.op);
    }
  };
  visit(p.nodes);
}
