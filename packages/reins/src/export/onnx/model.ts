import type { Dim, Program } from "../graph.ts";
import { convolution } from "./convolution.ts";
import { elementwise } from "./elementwise.ts";
import { elementOf, scan } from "./loop.ts";
import { operations } from "./operations.ts";
import { graphOf, modelOf, valueInfo } from "./proto.ts";
import { unsupported } from "./refusal.ts";
import { type Write, Writer } from "./writer.ts";

/** Name of the dynamic batch axis. */
const rows = "rows";

/** Extents of an input or output, with the batch axis by name. */
const extents = (shape: readonly Dim[]) => shape.map((d) => (typeof d === "number" ? d : rows));

/** Encodes a program as an ONNX model; `about` becomes its metadata. */
export function writeModel(
  program: Program,
  about: { readonly [name: string]: string },
  source: string,
): Uint8Array {
  const { steps, inputs, outputs } = program;
  const w = new Writer(program, source, written);
  for (const { name, step } of inputs) w.names[step] = name;
  for (const { name, step } of outputs) w.add("Identity", [w.at(step)], {}, name);
  const info = ({ name, step }: { readonly name: string; readonly step: number }) =>
    valueInfo(name, steps[step].dtype, extents(steps[step].shape));
  const graph = graphOf({
    name: "act",
    nodes: w.nodes,
    initializers: w.initializers,
    inputs: inputs.map(info),
    outputs: outputs.map(info),
  });
  return modelOf(graph, about);
}

const written: Write = (w, step, at) => {
  if (step.op === "weight") {
    const { name, tensor } = w.weightAt(at);
    return w.keep(name, tensor.dtype, tensor.shape, tensor.data);
  }
  if (step.op === "scan") return scan(w, step, at);
  if (step.op === "element") return elementOf(w, step);
  const write = Object.hasOwn(operations, step.op)
    ? operations[step.op as keyof typeof operations]
    : undefined;
  return convolution(w, step) ?? write?.(w, step) ?? elementwise(w, step) ?? unsupported(w.source, step.op);
};
