import type { Generator } from "@reins/core/random";
import { inputs, kindOf, type LossGraph, type LossNode, prune, type Ref } from "./loss-graph.ts";
import { type Kind, type OpName, ops } from "./loss-ops.ts";

const opNames = Object.keys(ops) as OpName[];
const inputNames = Object.keys(inputs) as (keyof typeof inputs)[];

/**
 * A graph with one mutation: a node is replaced by one of the same type, or a new node is inserted between a value
 * and its reader, or after the last node. Unused nodes are removed; a graph of more than `limit` nodes is sampled
 * again.
 *
 * @experimental
 */
export function mutateLoss(graph: LossGraph, random: Generator, limit = 16): LossGraph {
  for (;;) {
    const changed = prune(random.random() < 0.5 ? replace(graph, random) : insert(graph, random));
    if (changed.length <= limit) return changed;
  }
}

function replace(graph: LossGraph, random: Generator): LossGraph {
  const at = random.integers(graph.length);
  const made = draw(graph, at, kindOf(graph, at), random);
  return graph.map((node, i) => (i === at ? made : node));
}

function insert(graph: LossGraph, random: Generator): LossGraph {
  const ways = graph.flatMap(({ of }, at) => of.map((from, slot) => ({ from, at, slot })));
  const all: Way[] = [...ways, { from: graph.length - 1, at: graph.length, slot: 0 }];
  const way = all[random.integers(all.length)];
  const kind = kindOf(graph, way.from);
  const candidates = opNames.filter((op) => ops[op].to === kind && takes(op).includes(kind));
  if (candidates.length === 0) return replace(graph, random);
  const op = candidates[random.integers(candidates.length)];
  const places = takes(op).flatMap((k, i) => (k === kind ? [i] : []));
  const place = places[random.integers(places.length)];
  const node: LossNode = {
    op,
    of: takes(op).map((k, i) => (i === place ? way.from : choose(graph, way.at, k, random))),
  };
  const moved = (ref: Ref): Ref => (typeof ref === "number" && ref >= way.at ? ref + 1 : ref);
  const after = graph.slice(way.at).map(({ op, of }, i) => ({
    op,
    of: of.map((ref, slot) => (i === 0 && slot === way.slot ? way.at : moved(ref))),
  }));
  return [...graph.slice(0, way.at), node, ...after];
}

/** An edge from a value to an input of a node; the position past the last node is the result. */
interface Way {
  readonly from: Ref;
  readonly at: number;
  readonly slot: number;
}

const takes = (op: OpName): readonly Kind[] => ops[op].from;

/** A random node of this type, from values before `at`. */
function draw(graph: LossGraph, at: number, kind: Kind, random: Generator): LossNode {
  const possible = opNames.filter(
    (op) => ops[op].to === kind && ops[op].from.every((k) => refs(graph, at, k).length > 0),
  );
  const op = possible[random.integers(possible.length)];
  return { op, of: ops[op].from.map((k) => choose(graph, at, k, random)) };
}

function choose(graph: LossGraph, before: number, kind: Kind, random: Generator): Ref {
  const possible = refs(graph, before, kind);
  return possible[random.integers(possible.length)];
}

/** Values of a type before a position. */
const refs = (graph: LossGraph, before: number, kind: Kind): Ref[] => [
  ...inputNames.filter((name) => inputs[name] === kind),
  ...graph.flatMap((_, i) => (i < before && kindOf(graph, i) === kind ? [i] : [])),
];
