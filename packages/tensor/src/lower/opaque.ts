import type { Node, NodeOf } from "../graph.ts";
import type { OpaqueOp } from "../primitives.ts";
import { sizeOf } from "../shape.ts";
import { attendKernel } from "./attend.ts";
import { attendStep } from "./attend-step.ts";
import { writeCholesky } from "./cholesky.ts";
import { copyKernel } from "./copy.ts";
import { flashStep } from "./flash.ts";
import { writeJacobi } from "./jacobi.ts";
import type { Level } from "./level.ts";
import { matrixKernel } from "./matrices.ts";
import { type Epilogue, matmulStep } from "./product.ts";
import { lowerScan } from "./scan.ts";
import { argumentKernel, cumulativeKernel, overlapKernel, scatterKernel } from "./scatter.ts";
import { scatterRowsKernel } from "./scatter-rows.ts";
import { argsortKernel } from "./sort.ts";
import { line, stridedView, whole } from "./strided-view.ts";
import { writeTriangularSolve } from "./triangular-solve.ts";
import { dynamicUpdate, scatter } from "./updates.ts";

type Lowering<K extends OpaqueOp> = (
  node: NodeOf<K>,
  level: Level,
  epilogues: ReadonlyMap<Node, Epilogue>,
) => void;

/** The steps of each operation with dedicated kernels. */
const lowerings: { readonly [K in OpaqueOp]: Lowering<K> } = {
  matmul: (node, level, epilogues) => matmulStep(node, level, epilogues.get(node)),
  concat,
  pad,
  scatterAdd: (node, level) => {
    level.call(copyKernel(0, line(node), "fill"));
    const rows = level.draft.options.schedule === "grid" ? scatterRowsKernel(node, level.fusion) : undefined;
    level.call(rows ?? scatterKernel(node, node.inputs[0], node.inputs[1], level.fusion, true));
  },
  overlapAdd: (node, level) => {
    level.call(copyKernel(0, line(node), "fill"));
    level.call(overlapKernel(node, level.fusion));
  },
  scatter,
  dynamicUpdate,
  cumsum: (node, level) => level.call(cumulativeKernel(node, level.fusion)),
  cumprod: (node, level) => level.call(cumulativeKernel(node, level.fusion)),
  argmax: (node, level) => level.call(argumentKernel(node, level.fusion)),
  argmin: (node, level) => level.call(argumentKernel(node, level.fusion)),
  argsort: (node, level) => level.call(argsortKernel(node, level.fusion)),
  cholesky: (node, level) => level.call(matrixKernel(node, level.fusion, writeCholesky)),
  triangularSolve: (node, level) => {
    const { transposed } = node.attributes;
    level.call(matrixKernel(node, level.fusion, (m) => writeTriangularSolve(m, transposed)));
  },
  jacobi: (node, level) => {
    const { sweeps } = node.attributes;
    level.call(matrixKernel(node, level.fusion, (m) => writeJacobi(m, sweeps)));
  },
  attend: (node, level) => {
    if (level.draft.options.fast && attendStep(node, level)) return;
    level.call(attendKernel(node, level.fusion));
  },
  flash: flashStep,
  scan: lowerScan,
};

export const isOpaque = (n: Node): n is NodeOf<OpaqueOp> => Object.hasOwn(lowerings, n.op);

/** Writes the steps of an operation with dedicated kernels. */
export function lowerOpaque<K extends OpaqueOp>(
  node: NodeOf<K>,
  level: Level,
  epilogues: ReadonlyMap<Node, Epilogue>,
): void {
  lowerings[node.op](node, level, epilogues);
}

function concat(node: NodeOf<"concat">, level: Level): void {
  const { axis } = node.attributes;
  const all = whole(node);
  let start = 0;
  for (const input of node.inputs) {
    const from = stridedView(input, level.fusion);
    const part = { ...all, offset: start * all.strides[axis], shape: input.shape };
    start += input.shape[axis];
    if (sizeOf(input.shape) > 0) level.call({ ...copyKernel(from, part, "concat"), parts: node });
  }
}

function pad(node: NodeOf<"pad">, level: Level): void {
  const { low } = node.attributes;
  const [x] = node.inputs;
  const all = whole(node);
  level.call(copyKernel(node.attributes.value, line(node), "fill"));
  if (sizeOf(x.shape) === 0) return;
  const offset = low.reduce((n, l, i) => n + l * all.strides[i], 0);
  level.call(copyKernel(stridedView(x, level.fusion), { ...all, offset, shape: x.shape }, "pad"));
}
