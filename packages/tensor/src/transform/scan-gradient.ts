import { apply } from "../apply.ts";
import type { Node, NodeOf } from "../graph.ts";
import { add, cast, lt, where } from "../ops/arithmetic.ts";
import { full, iota } from "../ops/movement.ts";
import { Tensor } from "../tensor.ts";
import { replay } from "./replay.ts";
import { scan } from "./scan.ts";

/** Propagates gradients of `ys` back to `xs`, null if there is none. */
export type Pullback = (
  ys: readonly Tensor[],
  gs: readonly (Tensor | null)[],
  xs: readonly Tensor[],
) => (Tensor | null)[];

/** The gradient of a loop is a reverse loop that recomputes each iteration from its initial carry. */
export function scanGradient(
  node: NodeOf<"scan">,
  gs: (Tensor | null | undefined)[],
  pullback: Pullback,
): (Tensor | null)[] {
  const body = node.attributes.body;
  const { carryIn, xIn, constIn, carryOut, yOut, length } = body;
  const inputs = node.inputs.map((n) => new Tensor(n));
  const [nc, nx, nk] = [carryIn.length, xIn.length, constIn.length];
  const float = (n: Node) => n.dtype === "f32";
  const starts = carryIn.map((n, i) =>
    apply("element", [new Tensor(node)], { index: nc + yOut.length + i }, [length, ...n.shape], n.dtype),
  );
  const gCarry = carryIn.flatMap((n, i) => (float(n) ? [gs[i] ?? full(n.shape, 0)] : []));
  const gConst = constIn.filter(float).map((n) => full(n.shape, 0));
  // Second derivatives arrive through the initial carries of the iterations: they are added to the carry's gradient there.
  const firstStart = nc + yOut.length;
  const joins = carryIn.flatMap((n, i) =>
    float(n) && gs[firstStart + i] ? [carryIn.slice(0, i).filter(float).length] : [],
  );
  const gStart = carryIn.flatMap((n, i) => (float(n) ? (gs[firstStart + i] ?? []) : []));
  const gY = yOut.flatMap((n, i) => (float(n) ? [gs[nc + i] ?? full([length, ...n.shape], 0)] : []));
  // With a run-time count, iterations that did not run pass gradients through unchanged.
  const ran = body.counted ? lt(iota([length]), inputs[inputs.length - 1]) : cast(full([length], 1), "bool");
  type Carry = { carry: Tensor[]; constant: Tensor[] };
  const back = scan<
    Carry,
    { start: Tensor[]; x: Tensor[]; gy: Tensor[]; gStart: Tensor[]; ran: Tensor },
    Tensor[]
  >(
    (g, at) => {
      const own = [...at.start, ...at.x, ...inputs.slice(nc + nx, nc + nx + nk)].map((t, i) =>
        apply("identity", [t], { scan: node.id, i }, t.shape, t.dtype),
      );
      const outs = replay(body.graph, [...carryOut, ...yOut], own);
      const floats = outs.filter((t) => t.dtype === "f32");
      const wanted = own.filter((t) => t.dtype === "f32");
      const ds = pullback(floats, [...g.carry, ...at.gy], wanted).map((d, i) => {
        const zero = full(wanted[i].shape, 0);
        return d ? (body.counted ? where(at.ran, d, zero) : d) : zero;
      });
      const fc = g.carry.length;
      const fx = at.x.filter((t) => t.dtype === "f32").length;
      const carry = ds.slice(0, fc).map((d, i) => {
        const whole = joins.includes(i) ? add(d, at.gStart[joins.indexOf(i)]) : d;
        return body.counted ? where(at.ran, whole, g.carry[i]) : whole;
      });
      const constant = ds.slice(fc + fx).map((d, i) => add(g.constant[i], d));
      return [{ carry, constant }, ds.slice(fc, fc + fx)];
    },
    { carry: gCarry, constant: gConst },
    { start: starts, x: inputs.slice(nc, nc + nx), gy: gY, gStart, ran },
    { length, reverse: !body.reverse },
  );
  const spread = (nodes: readonly Node[], ts: Tensor[]) => {
    let k = 0;
    return nodes.map((n) => (float(n) ? ts[k++] : null));
  };
  return [
    ...spread(carryIn, back.carry.carry),
    ...spread(xIn, back.ys),
    ...spread(constIn, back.carry.constant),
    ...(body.counted ? [null] : []),
  ];
}
