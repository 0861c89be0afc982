import { type Dim, loopIn, type Step, stepsOf } from "../graph.ts";
import { graphOf, valueInfo } from "./proto.ts";
import { unsupported } from "./refusal.ts";
import { Writer } from "./writer.ts";

/** Writes a loop as Scan with a body graph; its results are named after the step. */
export function scan(outer: Writer, step: Step, at: number): string {
  const loop = loopIn(step);
  if (loop.counted) return unsupported(outer.source, "loops of dynamic length");
  const steps = stepsOf(loop);
  const prefix = `${outer.nameOf(at)}_`;
  const w = new Writer({ steps, inputs: [], weights: new Map() }, outer.source, outer.write, {
    prefix,
    counted: outer.rowsOf,
  });
  const own = steps.flatMap(({ op }, i) => (op === "input" ? [i] : []));
  const looped = loop.carries + loop.elements;
  own.forEach((i, k) => {
    // Loop invariants are read from the outer graph.
    w.names[i] = k < looped ? w.nameOf(i) : outer.at(step.inputs[k]);
  });
  const extents = (shape: readonly Dim[]) => shape.map((d) => (typeof d === "number" ? d : "rows"));
  const info = (name: string, i: number) => valueInfo(name, steps[i].dtype, extents(steps[i].shape));
  const results = loop.outputs.map((i) => w.add("Identity", [w.at(i)]));
  const body = graphOf({
    name: `${prefix}body`,
    nodes: w.nodes,
    initializers: w.initializers,
    inputs: own.slice(0, looped).map((i) => info(w.at(i), i)),
    outputs: loop.outputs.map((i, k) => info(results[k], i)),
  });
  const stacked = loop.outputs.length - loop.carries;
  const ways = (count: number) => Array.from({ length: count }, () => Number(loop.reverse));
  outer.addTo(
    "Scan",
    step.inputs.slice(0, looped).map((n) => outer.at(n)),
    loop.outputs.map((_, k) => `${outer.nameOf(at)}.${k}`),
    {
      body,
      num_scan_inputs: loop.elements,
      scan_input_directions: ways(loop.elements),
      scan_output_directions: ways(stacked),
    },
  );
  return outer.nameOf(at);
}

/** One result of a loop. */
export function elementOf(w: Writer, { inputs: [loop], attributes }: Step): string {
  const index = Number(attributes.index);
  if (index >= loopIn(w.steps[loop]).outputs.length)
    return unsupported(w.source, "the intermediate carries of a loop");
  return `${w.at(loop)}.${index}`;
}
