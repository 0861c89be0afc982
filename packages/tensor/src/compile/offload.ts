import { type Backend, defaultGpu, mayUseGpu } from "../backends/choose.ts";
import type { CostModel } from "../kernel/cost.ts";
import { bytesOf } from "../lower/level.ts";
import { lower, type Plan, predict } from "../lower/lower.ts";
import { time } from "./explain.ts";
import { precisionOf } from "./machine.ts";
import type { CompileOptions } from "./options.ts";
import type { Traced } from "./specialise.ts";

/** Minimum seconds of a run on the CPU, and how much faster the GPU must be: it takes a second to start, and estimates are rough. */
const worthStarting = 0.02;
const worthMoving = 2;
/** Larger arguments are parameters and constants, which stay on the device between runs. */
const largestBatch = 2 ** 20;
/** Seconds until a copy begins, and the share of a thread's work that each further thread takes on. */
const copyLatency = 2e-5;
const threadShare = 0.7;

/** Where a function runs, and why if there was a choice. */
export interface Placement {
  readonly backend: Backend;
  readonly why?: string;
}

/** The GPU, if a function for which no back end was requested is large enough to gain from it; else `here`. */
export function placement(traced: Traced, here: Backend, options: CompileOptions): Placement {
  const { compiler } = here;
  if (!compiler || options.check || !mayUseGpu(options.backend)) return { backend: here };
  const threads = Math.min(here.threads, options.threads ?? here.threads);
  const { cost, schedule } = compiler;
  const { plan } = lower(traced, { threads, precision: precisionOf(options), cost, schedule });
  const seconds = secondsHere(plan);
  const stays = (why: string) => ({ backend: here, why: `${here.name} instead of the GPU: ${why}` });
  if (seconds < worthStarting)
    return stays(`${time(seconds)} predicted, less than the ${time(worthStarting)} from which a GPU pays`);
  const gpu = defaultGpu();
  if (!gpu?.compiler) return stays("it does not work");
  const there = secondsOn(gpu.compiler.cost, plan, traced);
  const compared = `${time(seconds)} predicted on ${here.name}, ${time(there)} on ${gpu.name}`;
  if (seconds <= worthMoving * there) return stays(`${compared}, less than ${worthMoving} times faster`);
  return { backend: gpu, why: `${gpu.name}: ${compared}` };
}

const secondsHere = ({ predicted, threads }: Plan): number => predicted / (1 + threadShare * (threads - 1));

/** Seconds of a run on a device, with its copies from and to the host. */
export function secondsOn(cost: CostModel, plan: Plan, traced: Traced): number {
  const { graph, outputs, aliases, donated } = traced;
  const batches = graph.inputs.slice(0, graph.inputs.length - traced.captures.length);
  const moved = [
    ...batches.filter((n, i) => !donated.has(i) && bytesOf(n) <= largestBatch),
    ...outputs.filter((_, i) => aliases[i] < 0),
  ];
  const copies = moved.reduce((t, n) => t + bytesOf(n) / (cost.copied ?? Number.POSITIVE_INFINITY), 0);
  return predict(plan.infos, cost) + copies + 2 * copyLatency;
}
