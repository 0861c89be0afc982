import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, type ScanBody, tracing } from "../graph.ts";
import { lt, where } from "../ops/arithmetic.ts";
import { asTensor, type TensorLike } from "../ops/check.ts";
import { full, iota, reshape, slice, stack } from "../ops/movement.ts";
import { sameShape, show } from "../shape.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { leaves, matchLeaves, type Tree, treeMap, unflattenTree } from "../tree.ts";
import { eagerTrace } from "./eager-trace.ts";

/** Length and direction of a loop. */
export interface ScanOptions {
  /** Number of iterations; required without `xs`. */
  length?: number;
  /** From the last element to the first. */
  reverse?: boolean;
  /** Number of iterations to run, known at run time (i32 scalar, at most `length`); the rest of `ys` is zero. */
  count?: TensorLike;
}

/**
 * A loop with carried state: `body(carry, x)` returns `[carry, y]` and runs once per element of the first axis of `xs`. The
 * results `y` are stacked. Differentiable; compiled into one loop of any length.
 */
export function scan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  options: ScanOptions = {},
): { carry: C; ys: Y } {
  const inputs = leaves(xs);
  const length = options.length ?? inputs[0]?.shape[0] ?? fail("scan", "needs xs or a length.");
  for (const x of inputs)
    if (x.shape[0] !== length)
      fail("scan", `xs ${show(x.shape)} do not have ${length} elements on their first axis.`);
  if (options.reverse && options.count !== undefined)
    return maskedScan(body, init, xs, length, options.count);
  if (!currentGraph()) return eagerScan(body, init, xs, length, options);
  const { carry, ys } = tracedScan(body, init, xs, length, options);
  return { carry, ys };
}

/** Backwards from an element known at run time: all iterations run, and those beyond the count have no effect. */
function maskedScan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  count: TensorLike,
) {
  const ran = lt(iota([length]), asTensor(count, "scan", "i32"));
  return scan<C, { x: X; ran: Tensor }, Y>(
    (carry, at) => {
      const [next, y] = body(carry, at.x);
      return [
        treeMap((a, b) => where(at.ran, a, b), next, carry),
        treeMap((t) => where(at.ran, t, full(t.shape, 0, t.dtype)), y),
      ];
    },
    init,
    { x: xs, ran },
    { length, reverse: true },
  );
}

const row = (x: Tensor, t: number) => reshape(slice(x, [[t, t + 1]]), x.shape.slice(1));

function eagerScan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  { reverse, count }: ScanOptions,
) {
  const n = count === undefined ? length : Math.max(0, Math.min(length, countOf(count).item()));
  // Without iterations, only a trace gives the shapes of the results.
  if (n === 0) {
    return eagerTrace(() => {
      const { carry, ys } = tracedScan(body, init, xs, length, { reverse, count });
      return { carry, ys };
    });
  }
  let carry = init;
  const results: (Y | undefined)[] = new Array(length).fill(undefined);
  for (let i = 0; i < n; i++) {
    const t = reverse ? n - 1 - i : i;
    const [next, y] = body(
      carry,
      unflattenTree(
        xs,
        leaves(xs).map((x) => row(x, t)),
      ),
    );
    const carried = carryLike(init, next);
    checkCarry(leaves(carry), carried);
    carry = unflattenTree(init, carried);
    results[t] = y;
  }
  const sample = results[0] as Y;
  const zero = leaves(sample).map((t) => full(t.shape, 0, t.dtype));
  const columns = results.map((r, t) =>
    t < n ? matchLeaves(sample, r, "scan", "the result of the body") : zero,
  );
  return {
    carry,
    ys: unflattenTree(
      sample,
      leaves(sample).map((_, k) => stack(columns.map((c) => c[k]))),
    ) as Y,
  };
}

function countOf(count: TensorLike): Tensor {
  const t = asTensor(count, "scan", "i32");
  if (t.dtype !== "i32" || t.size !== 1)
    fail("scan", `the count must be an i32 scalar, but got ${t.dtype}${show(t.shape)}.`);
  return reshape(t, []);
}

/** The carry that a body returned, in the order of the initial one. */
const carryLike = (init: Tree, next: Tree) =>
  matchLeaves(init, next, "scan", "the carry that the body returned");

type Typed = Pick<Tensor, "shape" | "dtype">;
function checkCarry(before: readonly Typed[], after: readonly Typed[]): void {
  after.forEach((n, i) => {
    if (n.dtype !== before[i].dtype || !sameShape(n.shape, before[i].shape)) {
      fail(
        "scan",
        `the body turns a carried ${before[i].dtype}${show(before[i].shape)} into ${n.dtype}${show(n.shape)}: the carry must keep its type and shape.`,
      );
    }
  });
}

/** @internal Adds a loop to the graph being traced. `starts` are the stacked initial carries of the iterations. */
export function tracedScan<C extends Tree, X extends Tree, Y extends Tree>(
  fn: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  options: ScanOptions & Pick<ScanBody, "together">,
) {
  const parent = currentGraph()!;
  const graph = new Graph(parent);
  graph.fast = parent.fast;
  const [carries, inputs] = [leaves(init), leaves(xs)];
  const carryIn = carries.map((c) => graph.input(c.shape, c.dtype));
  const xIn = inputs.map((x) => graph.input(x.shape.slice(1), x.dtype));
  const { y, carryOut, yOut } = tracing(graph, () => {
    const wrap = (nodes: Node[]) => nodes.map((n) => new Tensor(n));
    const [carry, y] = fn(unflattenTree(init, wrap(carryIn)), unflattenTree(xs, wrap(xIn)));
    const own = (t: Tensor) => nodeIn(graph, t, "scan");
    return { y, carryOut: carryLike(init, carry).map(own), yOut: leaves(y).map(own) };
  });
  checkCarry(carryIn, carryOut);
  const constants = graph.captures.map((c) => c.tensor as Tensor);
  const count = options.count === undefined ? [] : [countOf(options.count)];
  const b: ScanBody = {
    graph,
    carryIn,
    xIn,
    constIn: graph.captures.map((c) => c.node),
    carryOut,
    yOut,
    length,
    reverse: !!options.reverse,
    counted: count.length > 0,
    ...(options.together ? { together: true } : {}),
  };
  const outs =
    length === 0 ? noLoop(b, carries) : scanNode(b, [...carries, ...inputs, ...constants, ...count]);
  const nc = carryIn.length;
  return {
    carry: unflattenTree(init, outs.slice(0, nc)),
    ys: unflattenTree(y, outs.slice(nc, nc + yOut.length)),
    starts: outs.slice(nc + yOut.length),
  };
}

/** The result of {@link scanNode} without iterations: the initial carries, and empty stacks. */
function noLoop({ yOut, carryIn }: ScanBody, carries: readonly Tensor[]): Tensor[] {
  return [
    ...carries.map((c) => apply("identity", [c], {}, c.shape, c.dtype)),
    ...[...yOut, ...carryIn].map((n) => full([0, ...n.shape], 0, n.dtype)),
  ];
}

/** Final carries, stacked results, and (for the gradient; free unless used) the stacked initial carries of the iterations. */
function scanNode(body: ScanBody, inputs: readonly Tensor[]): Tensor[] {
  const node = apply("scan", inputs, { body }, [], "f32");
  const at = (n: Node) => [body.length, ...n.shape];
  const shapes = [...body.carryOut.map((n) => n.shape), ...body.yOut.map(at), ...body.carryIn.map(at)];
  const types = [...body.carryOut, ...body.yOut, ...body.carryIn].map((n) => n.dtype);
  return shapes.map((shape, index) => apply("element", [node], { index }, shape, types[index]));
}
