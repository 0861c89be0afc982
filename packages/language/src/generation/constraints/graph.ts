import { fail } from "@reins/core";
import { intersection, type Ranges } from "./ranges.ts";
import type { Product, Production, Tree } from "./tree.ts";
import { type ByteRange, byteSequences } from "./utf8.ts";
import type { Work } from "./work.ts";

/** A node of the graph: byte transitions, empty transitions, and a rule to complete first. */
export interface Node {
  readonly bytes: { readonly range: ByteRange; readonly to: number }[];
  readonly jumps: number[];
  readonly call?: { readonly rule: number; readonly back: number };
}

/** A tree as nodes (Thompson, 1968), with a start for each rule. Node 0 ends a rule; the first rule is the root. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly rules: readonly { readonly start: number; readonly level: 0 | 1 }[];
  /** Minimum levels to enter on the way from a node to the end of its rule: infinite where there is no way. */
  readonly needs: readonly number[];
}

/** A finite automaton under construction: states with transitions and ends. */
export type States = readonly {
  readonly ways: readonly { readonly range: ByteRange; readonly to: number }[];
  readonly accepts: boolean;
}[];

/** Maximum nodes of a graph, some 200 bytes each. */
const mostNodes = 250_000;

/** The graph of a tree. Characters outside the alphabet are removed; `product` joins two trees into states. */
export function graphOf(
  tree: Tree,
  alphabet: Ranges | undefined,
  product: (tree: Product) => States,
  work: Work,
): Graph {
  const nodes: Node[] = [];
  const rules: { start: number; level: 0 | 1 }[] = [];
  const waiting: Production[] = [];
  const numbers = new Map<Production, number>();
  const built = new Map<Tree, Map<number, number>>();
  const wrapped = new Map<Tree, Tree>();

  const add = (jumps: number[] = [], call?: Node["call"]) => {
    work.spend(1 + jumps.length);
    if (nodes.length >= mostNodes)
      fail("constraint", `it has more than ${mostNodes} nodes. Lower its counts or shorten its lists.`);
    return nodes.push({ bytes: [], jumps, call }) - 1;
  };

  const numberOf = (rule: Production): number => {
    const known = numbers.get(rule) ?? rules.push({ start: -1, level: rule.level }) - 1;
    if (!numbers.has(rule)) waiting.push(rule);
    numbers.set(rule, known);
    return known;
  };

  /** The node from which a tree leads to `next`. The same tree before the same node is built once. */
  const build = (tree: Tree, next: number): number => {
    const before = built.get(tree) ?? new Map<number, number>();
    built.set(tree, before);
    const known = before.get(next) ?? make(tree, next);
    before.set(next, known);
    return known;
  };

  const make = (tree: Tree, next: number): number => {
    switch (tree.kind) {
      case "set":
        return spell(alphabet ? intersection(tree.ranges, alphabet) : tree.ranges, next);
      case "sequence":
        return tree.parts.reduceRight((after, part) => build(part, after), next);
      case "either":
        return add(tree.options.map((option) => build(option, next)));
      case "repeat":
        return times(tree.part, tree.least, tree.most, next);
      case "product":
        return embed(product(tree), next);
      case "rule":
        return add([], { rule: numberOf(tree), back: next });
    }
  };

  /** Characters with the same trailing bytes share nodes. */
  const spell = (ranges: Ranges, next: number): number => {
    const ends = new Map<string, number>([["", next]]);
    const start = add();
    for (const [first, ...rest] of byteSequences(ranges)) {
      work.spend(rest.length + 1);
      for (let i = rest.length - 1; i >= 0; i--) {
        const key = rest.slice(i).join();
        if (ends.has(key)) continue;
        const node = add();
        nodes[node].bytes.push({ range: rest[i], to: ends.get(rest.slice(i + 1).join())! });
        ends.set(key, node);
      }
      nodes[start].bytes.push({ range: first, to: ends.get(rest.join())! });
    }
    return start;
  };

  const times = (part: Tree, least: number, most: number, next: number): number => {
    if (!(least <= most)) return add();
    // Nested copies of a large tree would multiply: they share one rule instead.
    const copies = most === Number.POSITIVE_INFINITY ? least : most;
    if (copies > 1 && part.kind !== "set" && part.kind !== "rule") {
      const original = part;
      part = wrapped.get(original) ?? { kind: "rule", tree: () => original, level: 0 };
      wrapped.set(original, part);
    }
    let after = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = add([next]);
      const start = build(part, loop);
      nodes[loop].jumps.push(start);
      after = least === 0 ? loop : start;
      least = Math.max(0, least - 1);
    } else for (let i = least; i < most; i++) after = add([build(part, after), next]);
    for (let i = 0; i < least; i++) after = build(part, after);
    return after;
  };

  const embed = (states: States, next: number): number => {
    const first = nodes.length;
    for (const { accepts } of states) add(accepts ? [next] : []);
    states.forEach(({ ways }, i) => {
      work.spend(ways.length);
      for (const { range, to } of ways) nodes[first + i].bytes.push({ range, to: first + to });
    });
    return states.length ? first : add();
  };

  const end = add();
  numberOf(tree.kind === "rule" ? tree : { kind: "rule", tree: () => tree, level: 0 });
  for (let rule = waiting.shift(); rule; rule = waiting.shift()) {
    rules[numbers.get(rule)!].start = build(rule.tree(), end);
  }
  return { nodes, rules, needs: needsOf(nodes, rules, work) };
}

/**
 * Most nodes are created after their successors, some before: alternate passes in both directions until nothing
 * changes.
 */
function needsOf(nodes: readonly Node[], rules: Graph["rules"], work: Work): number[] {
  const needs = nodes.map((_, n) => (n === 0 ? 0 : Number.POSITIVE_INFINITY));
  const order = nodes.map((_, n) => n);
  for (let changed = true; changed; order.reverse()) {
    changed = false;
    work.spend(nodes.length);
    for (const n of order) {
      const { bytes, jumps, call } = nodes[n];
      let least = needs[n];
      for (const to of jumps) least = Math.min(least, needs[to]);
      for (const { to } of bytes) least = Math.min(least, needs[to]);
      if (call) {
        const { start, level } = rules[call.rule];
        least = Math.min(least, Math.max(needs[call.back], level + needs[start]));
      }
      if (least < needs[n]) {
        needs[n] = least;
        changed = true;
      }
    }
  }
  return needs;
}
