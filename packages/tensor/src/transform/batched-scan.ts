import { apply } from "../apply.ts";
import type { Graph, Node, ScanBody } from "../graph.ts";
import { lt, where } from "../ops/arithmetic.ts";
import { full, iota, reshape, transpose } from "../ops/movement.ts";
import { max } from "../ops/reduce.ts";
import { needed } from "../reference/interpret.ts";
import type { Tensor } from "../tensor.ts";
import { type Batched, widen } from "./batched-value.ts";
import { tracedScan } from "./scan.ts";

/** Computes `outputs` of a loop's body for all members at once. */
export type BatchedReplay = (graph: Graph, outputs: readonly Node[], inputs: readonly Batched[]) => Batched[];

/** Stacked values have the iteration axis first inside a loop, and the member axis first outside. */
const swap = (v: Batched): Batched => (v.batched ? { tensor: transpose(v.tensor, 0, 1), batched: true } : v);

/**
 * The stacked results of a loop, contiguous for each member, as for a single member: sums over several axes add in memory
 * order, so a transposed view would change their last bits.
 */
function stacked(v: Batched): Batched {
  const { tensor, batched } = swap(v);
  if (!batched) return { tensor, batched };
  return { tensor: apply("concat", [tensor], { axis: 0 }, tensor.shape, tensor.dtype), batched };
}

/**
 * A loop for all members at once: its body works on members, and only carries that differ between members get the leading axis.
 * Returns the loop's elements: final carries, stacked results, and the initial carries of the iterations.
 */
export function batchedScan(
  body: ScanBody,
  inputs: readonly Batched[],
  count: number,
  replay: BatchedReplay,
): Batched[] {
  const { carryIn, xIn, constIn, carryOut, yOut, length, reverse, together } = body;
  const [nc, nx, nk] = [carryIn.length, xIn.length, constIn.length];
  const runs = body.counted ? inputs[inputs.length - 1] : undefined;
  const own = !!runs?.batched;
  const flags = elementFlags(
    body,
    inputs.map((v) => v.batched),
  );
  const carried = flags.slice(0, nc);
  const init = inputs.slice(0, nc).map((v, i) => (carried[i] ? widen(v, count) : v).tensor);
  const xs = inputs.slice(nc, nc + nx);
  const constants = inputs.slice(nc + nx, nc + nx + nk);

  const step = (carry: Tensor[], at: { x: Tensor[]; t?: Tensor }): readonly [Tensor[], Tensor[]] => {
    const given = [
      ...carry.map((tensor, i) => ({ tensor, batched: carried[i] })),
      ...at.x.map((tensor, i) => ({ tensor, batched: xs[i].batched })),
      ...constants,
    ];
    const outs = replay(body.graph, [...carryOut, ...yOut], given).map(
      (v, i) => (flags[i] ? widen(v, count) : v).tensor,
    );
    if (!own) return [outs.slice(0, nc), outs.slice(nc)];
    // Members run for different numbers of iterations: a member outside of its range keeps its carry and gives zeros.
    const runs_ = lt(at.t!, runs!.tensor);
    const keep = (now: Tensor, otherwise: Tensor) =>
      where(reshape(runs_, [count, ...now.shape.slice(1).map(() => 1)]), now, otherwise);
    return [
      outs.slice(0, nc).map((t, i) => keep(t, carry[i])),
      outs.slice(nc).map((t) => keep(t, full(t.shape, 0, t.dtype))),
    ];
  };

  const at = { x: xs.map((v) => swap(v).tensor), ...(own ? { t: iota([length]) } : {}) };
  const most = runs && (own ? max(runs.tensor) : runs.tensor);
  const { carry, ys, starts } = tracedScan(step, init, at, length, { reverse, count: most, together });
  return [
    ...carry.map((tensor, i) => ({ tensor, batched: carried[i] })),
    ...ys.map((tensor, i) => stacked({ tensor, batched: flags[nc + i] })),
    ...starts.map((tensor, i) => stacked({ tensor, batched: carried[i] })),
  ];
}

/** The elements of a loop that differ between members, given the inputs that do. */
function elementFlags(body: ScanBody, inputs: readonly boolean[]): boolean[] {
  const { carryIn, xIn, constIn, carryOut, yOut } = body;
  const nc = carryIn.length;
  if (body.counted && inputs[inputs.length - 1]) return [...carryOut, ...yOut, ...carryIn].map(() => true);
  let carried = inputs.slice(0, nc);
  const rest = inputs.slice(nc, nc + xIn.length + constIn.length);
  for (;;) {
    const out = propagate(body.graph, [...carryOut, ...yOut], [...carried, ...rest]);
    const next = carried.map((c, i) => c || out[i]);
    // A carry that differs after one iteration differs from the start; this terminates because flags are only set.
    if (next.every((c, i) => c === carried[i])) return [...carried, ...out.slice(nc), ...carried];
    carried = next;
  }
}

function propagate(graph: Graph, outputs: readonly Node[], inputs: readonly boolean[]): boolean[] {
  const values = new Map<number, boolean>();
  const loops = new Map<number, boolean[]>();
  for (const node of needed(graph, outputs)) {
    const args = node.inputs.map((n) => values.get(n.id)!);
    if (node.op === "input") values.set(node.id, inputs[node.attributes.index]);
    else if (node.op === "scan") loops.set(node.id, elementFlags(node.attributes.body, args));
    else if (node.op === "element") values.set(node.id, loops.get(node.inputs[0].id)![node.attributes.index]);
    else values.set(node.id, args.some(Boolean));
  }
  return outputs.map((n) => values.get(n.id)!);
}
