import type { Node, NodeOf, ScanBody } from "../graph.ts";
import { copyKernel } from "./copy.ts";
import type { Spot } from "./draft.ts";
import { bytesOf, type Destination, type Level } from "./level.ts";
import { line } from "./strided-view.ts";

/** A scan: its carry has one location, which each iteration updates, and stacked values are read and written in place. */
export function lowerScan(node: NodeOf<"scan">, level: Level): void {
  const { draft, spotOf, fusion } = level;
  const { body } = node.attributes;
  const { carryIn, xIn, constIn, carryOut, yOut, length } = body;
  const [nc, nx] = [carryIn.length, xIn.length];
  const source = (k: number) => spotOf(fusion.contiguous(node.inputs[k]));
  const { finals, ys, starts } = resultsOf(node, body, level);
  const carry = carryIn.map((n, k) => {
    // The final carry's memory serves as the running carry.
    const final = finals[k];
    const spot = final && !level.ownerOf(spotOf(final)) ? spotOf(final) : draft.temporary(bytesOf(n));
    draft.copy(source(k), spot, bytesOf(n));
    return spot;
  });
  const count = body.counted ? source(node.inputs.length - 1) : length;
  // Iterations that do not run leave zeros.
  // A length that is read from memory belongs to one iteration of the loops around it.
  const together = body.together && nc === 0 && !hasCounted(body);
  if (body.counted) for (const e of [...ys, ...starts]) if (e) level.call(copyKernel(0, line(e), "fill"));
  draft.loop(
    count,
    length,
    (loop) => {
      const step = (spot: Spot, n: Node): Spot => {
        const bytes = bytesOf(n);
        if (!body.reverse) return draft.advanced(spot, 0, loop, bytes);
        // A reverse loop that ends early starts at an element known only at run time: see `scan`.
        return draft.advanced(spot, (length - 1) * bytes, loop, -bytes);
      };
      const inner = new Map<Node, Spot>();
      carryIn.forEach((n, k) => inner.set(n, carry[k]));
      xIn.forEach((n, k) => inner.set(n, step(source(nc + k), n)));
      constIn.forEach((n, k) => inner.set(n, source(nc + nx + k)));
      carryIn.forEach((n, k) => {
        const e = starts[k];
        if (e) draft.copy(carry[k], step(spotOf(e), n), bytesOf(n));
      });
      const wanted: Destination[] = [];
      yOut.forEach((n, k) => {
        const e = ys[k];
        if (e) wanted.push({ node: n, spot: step(spotOf(e), n) });
      });
      carryOut.forEach((n, k) => wanted.push({ node: n, spot: carry[k] }));
      level.lowerBody(body.graph, inner, wanted);
    },
    together,
  );
  carryIn.forEach((n, k) => {
    const final = finals[k];
    if (final && spotOf(final) !== carry[k]) draft.copy(carry[k], spotOf(final), bytesOf(n));
  });
}

/** Whether a loop, or one inside it, reads its length from memory. */
function hasCounted({ counted, graph }: ScanBody): boolean {
  return counted || graph.nodes.some((n) => n.op === "scan" && hasCounted(n.attributes.body));
}

/** The nodes of a loop's results that are read: final carries, stacked results, and the initial carries of the iterations. */
function resultsOf(node: Node, { carryIn, yOut }: ScanBody, { graph, fusion, spotOf }: Level) {
  const elements = graph.nodes.filter(
    (n): n is NodeOf<"element"> => n.op === "element" && n.inputs[0] === node && fusion.stored.has(n),
  );
  // Their memory belongs to this level, not to one iteration.
  elements.forEach(spotOf);
  const element = (index: number) => elements.find((n) => n.attributes.index === index);
  const nc = carryIn.length;
  return {
    finals: carryIn.map((_, k) => element(k)),
    ys: yOut.map((_, k) => element(nc + k)),
    starts: carryIn.map((_, k) => element(nc + yOut.length + k)),
  };
}
