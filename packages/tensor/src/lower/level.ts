import { byteSize } from "../dtype.ts";
import type { Graph, Node } from "../graph.ts";
import { show, sizeOf, stridesOf } from "../shape.ts";
import type { ScanBody } from "../transform/scan-body.ts";
import { equal, flatten, home } from "./affine.ts";
import { lowerColumns } from "./columns.ts";
import { copyKernel } from "./copy.ts";
import type { Draft, Spot } from "./draft.ts";
import { expand } from "./expand.ts";
import { fuse } from "./fuse.ts";
import { matrixKernel } from "./matrices.ts";
import { members } from "./members.ts";
import { type Epilogue, epilogueFor, matmulStep } from "./product.ts";
import { lowerRows } from "./rows.ts";
import { argumentKernel, cumulativeKernel, overlapKernel, scatterKernel } from "./scatter.ts";
import { lowerShort } from "./short.ts";
import { argsortKernel } from "./sort.ts";
import { isWhole, stridedView, whole } from "./strided.ts";
import { isColumn, type Unit } from "./unit.ts";

/** Positions are 32-bit numbers. */
const mostElements = 2 ** 31 - 1;

/** Where an output must end up; a spot of an input when that input was donated. */
export interface Destination {
  readonly node: Node;
  readonly spot: Spot;
}

export const bytesOf = (n: { shape: readonly number[]; dtype: Node["dtype"] }) =>
  sizeOf(n.shape) * byteSize(n.dtype);

/** Writes the steps that compute `outputs` of one graph (the function, or a loop's body) into the draft of a program. */
export function lowerLevel(
  traced: Graph,
  given: ReadonlyMap<Node, Spot>,
  wanted: readonly Destination[],
  draft: Draft,
): void {
  const { graph, of } = expand(
    traced,
    wanted.map((o) => o.node),
  );
  const inputs = new Map([...given].map(([node, spot]) => [of(node), spot]));
  const outputs = wanted.map(({ node, spot }) => ({ node: of(node), spot }));
  const fusion = fuse(
    graph,
    outputs.map((o) => o.node),
  );
  for (const { shape } of [...graph.inputs, ...fusion.units.flatMap((u) => u.nodes)])
    if (sizeOf(shape) > mostElements)
      throw new RangeError(
        `A tensor of shape ${show(shape)} has more than 2³¹ - 1 elements. Work on parts of it, one after the other.`,
      );
  const spots = new Map<Node, Spot>(inputs);
  const after: (() => void)[] = [];
  const ordered = fusion.units;
  const position = new Map(ordered.map((u, i) => [u, i]));
  const { readers } = fusion;
  const owners = new Map([...inputs].map(([node, spot]) => [spot, node]));

  // Results are written where they are wanted, as long as nobody still needs what is there.
  outputs.forEach(({ spot }, i) => {
    const node = fusion.results[i];
    const unit = fusion.unitOf.get(node);
    if (!unit) {
      // An input is returned. Its value may be overwritten before the end, so take it now.
      const held = draft.temporary(bytesOf(node));
      draft.copy(spots.get(node)!, held, bytesOf(node));
      after.push(() => draft.copy(held, spot, bytesOf(node)));
    } else if (!spots.has(node) && safe(node, unit, spot)) spots.set(node, spot);
    else after.push(() => draft.copy(spots.get(node)!, spot, bytesOf(node)));
  });

  /** Whether `node` may be written to `spot` as soon as it is computed. */
  function safe(node: Node, unit: Unit, spot: Spot): boolean {
    const owner = owners.get(spot);
    if (!owner) return true;
    if (fusion.results.includes(owner)) return false;
    const users = [...(readers.get(owner) ?? [])];
    if (users.some((u) => position.get(u)! > position.get(unit)!)) return false;
    if (!users.includes(unit)) return true;
    if (unit.kind === "opaque")
      return (
        updates.has(node.op) &&
        isWhole(stridedView(node.inputs[0], fusion)) &&
        node.inputs.slice(1).every((n) => stridedView(n, fusion).base !== owner)
      );
    if (unit.reduced) return false;
    const target = flatten(home(node.shape, unit.dims)!, stridesOf(node.shape), unit.dims);
    return members(unit, fusion).every(
      (m) =>
        m.table?.node !== owner &&
        m.reads.every((r) => r.kind !== "memory" || r.node !== owner || equal(r.flat, target)),
    );
  }

  const spotOf = (node: Node): Spot => {
    let s = spots.get(node);
    if (!s) spots.set(node, (s = draft.temporary(bytesOf(node))));
    return s;
  };
  // A product whose only reader adds a row or reorders does that itself.
  const epilogues = new Map<Node, Epilogue>();
  const absorbed = new Set<Unit>();
  for (const {
    kind,
    nodes: [node],
  } of ordered) {
    if (kind !== "opaque" || node.op !== "matmul" || fusion.results.includes(node)) continue;
    const [reader, ...others] = readers.get(node) ?? [];
    const e = reader && others.length === 0 ? epilogueFor(node, reader, fusion) : undefined;
    const wanted = e && spots.get(e.result);
    if (!e || (wanted && inputSpot(wanted))) continue;
    // The row must be known before the product, which runs first.
    const row = e.bias && fusion.unitOf.get(e.bias.node);
    if (row && position.get(row)! > position.get(fusion.unitOf.get(node)!)!) continue;
    epilogues.set(node, e);
    absorbed.add(reader);
  }
  for (const unit of ordered) {
    if (absorbed.has(unit)) continue;
    if (unit.nodes.every((n) => sizeOf(n.shape) === 0) && unit.nodes[0].op !== "scan") {
      unit.nodes.forEach(spotOf);
      continue;
    }
    if (unit.kind === "group") {
      const kernel = isColumn(unit) ? lowerColumns : lowerRows;
      draft.call(lowerShort(unit, fusion) ?? kernel(unit, fusion), spotOf);
    } else lowerOpaque(unit.nodes[0], unit);
  }
  for (const f of after) f();

  function lowerOpaque(node: Node, unit: Unit): void {
    const call = (l: Parameters<Draft["call"]>[0]) => draft.call(l, spotOf);
    switch (node.op) {
      case "matmul":
        return matmulStep(node, fusion, draft, spotOf, epilogues.get(node));
      case "concat": {
        const axis = node.attributes.axis as number;
        let start = 0;
        for (const input of node.inputs) {
          const from = stridedView(input, fusion);
          const part = { ...whole(node), offset: start * whole(node).strides[axis], shape: input.shape };
          start += input.shape[axis];
          if (sizeOf(input.shape) > 0) call(copyKernel(from, part, "concat"));
        }
        return;
      }
      case "pad": {
        const low = node.attributes.low as number[];
        const all = whole(node);
        call(copyKernel(node.attributes.value as number, flat(node), "fill"));
        if (sizeOf(node.inputs[0].shape) === 0) return;
        return call(
          copyKernel(
            stridedView(node.inputs[0], fusion),
            {
              ...all,
              offset: low.reduce((n, l, i) => n + l * all.strides[i], 0),
              shape: node.inputs[0].shape,
            },
            "pad",
          ),
        );
      }
      case "scatterAdd":
        call(copyKernel(0, flat(node), "fill"));
        return call(scatterKernel(node, node.inputs[0], node.inputs[1], fusion, true));
      case "overlapAdd":
        call(copyKernel(0, flat(node), "fill"));
        return call(overlapKernel(node, fusion));
      case "scatter":
        start(node, unit);
        return call(scatterKernel(node, node.inputs[1], node.inputs[2], fusion, false));
      case "dynamicUpdate": {
        start(node, unit);
        const axis = node.attributes.axis as number;
        const [, update, at] = node.inputs;
        const to = { ...whole(node), shape: update.shape };
        const begin = {
          node: stridedView(at, fusion).base,
          stride: to.strides[axis],
          limit: node.shape[axis] - update.shape[axis],
        };
        return call(copyKernel(stridedView(update, fusion), to, "dynamicUpdate", begin));
      }
      case "cumsum":
      case "cumprod":
        return call(cumulativeKernel(node, fusion));
      case "argmax":
      case "argmin":
        return call(argumentKernel(node, fusion));
      case "argsort":
        return call(argsortKernel(node, fusion));
      case "cholesky":
      case "triangularSolve":
      case "jacobi":
        return call(matrixKernel(node, fusion));
      case "scan":
        return lowerScan(node);
      default:
        throw new Error(`internal: no kernel for "${node.op}".`);
    }
  }

  /** Brings the first argument into the result's memory: in place where nobody reads it later, nor as what is written. */
  function start(node: Node, unit: Unit): void {
    const x = stridedView(node.inputs[0], fusion);
    const users = readers.get(x.base);
    const last = [...(users ?? [])].every((u) => position.get(u)! <= position.get(unit)!);
    const alone = node.inputs.slice(1).every((n) => stridedView(n, fusion).base !== x.base);
    const mine = alone && !inputs.has(x.base) && !fusion.results.includes(x.base);
    if (isWhole(x) && spots.get(node) === spots.get(x.base)) return;
    if (isWhole(x) && last && mine && !spots.has(node)) spots.set(node, spotOf(x.base));
    else if (isWhole(x)) draft.copy(spotOf(x.base), spotOf(node), bytesOf(node));
    else draft.call(copyKernel(x, whole(node), "copy"), spotOf);
  }

  function lowerScan(node: Node): void {
    const body = node.attributes.body as ScanBody;
    const { carryIn, xIn, constIn, carryOut, yOut, length, reverse } = body;
    const [nc, nx] = [carryIn.length, xIn.length];
    const elements = graph.nodes.filter(
      (n) => n.op === "element" && n.inputs[0] === node && fusion.stored.has(n),
    );
    const element = (index: number) => elements.find((n) => n.attributes.index === index);
    // Their memory belongs to this level, not to one iteration.
    elements.forEach(spotOf);
    const source = (k: number) => spotOf(fusion.contiguous(node.inputs[k]));
    const carry = carryIn.map((n, k) => {
      // The final carry's memory serves as the running one.
      const final = element(k);
      const spot = final && !inputSpot(spotOf(final)) ? spotOf(final) : draft.temporary(bytesOf(n));
      draft.copy(source(k), spot, bytesOf(n));
      return spot;
    });
    const count = body.counted ? source(node.inputs.length - 1) : length;
    const stacked = [
      ...yOut.map((n, k) => ({ n, e: element(nc + k) })),
      ...carryIn.map((n, k) => ({ n, e: element(nc + yOut.length + k) })),
    ];
    if (body.counted) for (const { e } of stacked) if (e) draft.call(copyKernel(0, flat(e), "fill"), spotOf);
    draft.loop(count, length, (loop) => {
      const step = (spot: Spot, n: Node): Spot => {
        const bytes = bytesOf(n);
        if (!reverse) return draft.advanced(spot, 0, loop, bytes);
        // A loop that runs backwards and ends early starts at an element known only at run time: see `scan`.
        return draft.advanced(spot, (length - 1) * bytes, loop, -bytes);
      };
      const inner = new Map<Node, Spot>();
      carryIn.forEach((n, k) => inner.set(n, carry[k]));
      xIn.forEach((n, k) => inner.set(n, step(source(nc + k), n)));
      constIn.forEach((n, k) => inner.set(n, source(nc + nx + k)));
      carryIn.forEach((n, k) => {
        const e = element(nc + yOut.length + k);
        if (e) draft.copy(carry[k], step(spotOf(e), n), bytesOf(n));
      });
      const wanted: Destination[] = [];
      yOut.forEach((n, k) => {
        const e = element(nc + k);
        if (e) wanted.push({ node: n, spot: step(spotOf(e), n) });
      });
      carryOut.forEach((n, k) => wanted.push({ node: n, spot: carry[k] }));
      lowerLevel(body.graph, inner, wanted, draft);
    });
    carryIn.forEach((n, k) => {
      const final = element(k);
      if (final && spotOf(final) !== carry[k]) draft.copy(carry[k], spotOf(final), bytesOf(n));
    });
  }

  function inputSpot(spot: Spot): boolean {
    return owners.has(spot);
  }
}

/** Operations that change a part of their first argument. */
const updates = new Set(["dynamicUpdate", "scatter"]);

/** A node's memory as one line. */
const flat = (n: Node) => ({ base: n, offset: 0, strides: [1], shape: [sizeOf(n.shape)] });
