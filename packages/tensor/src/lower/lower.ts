import type { Traced } from "../compile/specialise.ts";
import type { Node } from "../graph.ts";
import type { CostModel } from "../kernel/cost.ts";
import type { BufferInfo, Program } from "../kernel/program.ts";
import { Draft, type LoweringOptions, type Spot, type StepInfo } from "./draft.ts";
import { bytesOf } from "./level.ts";
import { lowerGraph } from "./lower-graph.ts";

/** The information for running a program, without its code; plain data, so that it can be stored in a file. */
export interface Plan {
  readonly infos: readonly StepInfo[];
  /** The buffer of each input and output of the graph. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Estimated seconds on one thread. */
  readonly predicted: number;
  readonly kernels: number;
  readonly buffers: number;
  readonly arenaBytes: number;
  readonly scratchBytes: number;
  readonly threads: number;
}

/** Minimum seconds of work for several threads: on a busy machine, threads wait for one another. */
const worthThreads = 5e-4;

/** Turns a traced function into a program: fusion, code generation, and memory planning. */
export function lower(
  traced: Traced,
  options: LoweringOptions & { threads: number },
): { program: Program; plan: Plan } {
  const buffers: BufferInfo[] = [];
  const buffer = (node: Node, role: BufferInfo["role"], label: string): Spot => {
    buffers.push({ bytes: bytesOf(node), role, label });
    return { buffer: buffers.length, offset: 0 };
  };
  const inputs = traced.graph.inputs.map((n, i) => buffer(n, "input", `input ${i}`));
  const outputs = traced.outputs.map((n, i) =>
    traced.aliases[i] >= 0
      ? inputs[traced.aliases[i]]
      : buffer(n, "output", `output ${traced.outputPaths[i]}`),
  );
  const draft = new Draft(options, inputs, outputs, buffers);
  const spots = new Map(traced.graph.inputs.map((n, i) => [n, inputs[i]]));
  lowerGraph(
    traced.graph,
    spots,
    traced.outputs.map((node, i) => ({ node, spot: outputs[i] })),
    draft,
  );
  const infos = draft.infos();
  const predicted = predict(infos, options.cost);
  const threads = predicted > worthThreads ? options.threads : 1;
  const program = draft.finish(threads);
  const plan: Plan = {
    infos,
    inputs: inputs.map((s) => s.buffer),
    outputs: outputs.map((s) => s.buffer),
    predicted,
    kernels: program.kernels.length,
    buffers: program.buffers.length,
    arenaBytes: program.buffers[0].bytes,
    scratchBytes: program.scratchBytes,
    threads,
  };
  return { program, plan };
}

/** Seconds for all steps: of a processor, on one thread. */
export function predict(infos: readonly StepInfo[], cost: CostModel): number {
  return infos.reduce((t, i) => t + stepTime(i, cost), 0);
}

/** A step takes as long as its arithmetic or its memory traffic, whichever is longer, plus a constant to start. */
export function stepTime(i: StepInfo, cost: CostModel): number {
  const rate = i.label.startsWith("matmul") ? cost.products : cost.operations;
  return (Math.max(i.flop / rate, i.bytes / cost.bytes) + cost.step) * i.times;
}
