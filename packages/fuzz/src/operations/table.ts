import { elementwise, tidyElementwise } from "./elementwise.ts";
import { indexing } from "./indexing.ts";
import { linear, tidyLinear } from "./linear.ts";
import type { Maker } from "./maker.ts";
import { movement } from "./movement.ts";
import { randoms } from "./random.ts";
import { reductions, tidyReductions } from "./reduce.ts";
import { type Grow, transforms } from "./transformations.ts";

/** How each operation of the package is added to a program. */
export function tableOf(grow: Grow): Readonly<Record<string, Maker>> {
  return {
    ...elementwise,
    ...movement,
    ...reductions,
    ...indexing,
    ...linear,
    ...randoms,
    ...transforms(grow),
  };
}

/** Operations that map integers to integers: sums of integers are exact in any order. */
export const tidy: readonly string[] = [
  ...Object.keys(tidyElementwise),
  ...Object.keys(movement),
  ...Object.keys(tidyReductions),
  ...Object.keys(indexing).filter((n) => n !== "crossEntropy"),
  ...Object.keys(tidyLinear),
  "grad",
  "valueAndGradient",
  "gradient",
  "vmap",
  "scan",
  "customGradient",
  "treeMap",
  "compile",
];

/** Exports of the package that are not used in programs, with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  Tensor: "the class",
  TensorError: "the class of errors",
  availableBackends: "a setting, not an operation",
  currentBackend: "a setting, not an operation",
  onCompile: "a listener, not an operation",
  setBackend: "a setting, not an operation",
  formerName: "reports a renamed export",
  backendInUse: "a former name",
  front: "a former name",
  leavesLike: "a former name",
  rebuild: "a former name",
  download: "reads tensors from a device, not an operation",
  memoryUse: "a measurement, not an operation",
  startProfile: "a measurement, not an operation",
  traceEvents: "a measurement, not an operation",
  sumOver: "is scan on a CPU; on a device its programs are compared in sum-over.test.ts and npm run gpu",
  leaves: "returns a list; every program uses it through its results",
  unflattenTree: "as leaves",
  matchLeaves: "as leaves",
  random: "a group: its members are in the table",
  real: "functions of plain numbers",
  heapZeros: "is zeros",
  serialiseFunction: "returns data; portable.test.ts serialises whole programs",
  deserialiseFunction: "as serialiseFunction",
  serialiseForBatch: "as serialiseFunction",
  deserialiseForBatch: "as serialiseFunction",
  shapeOf: "returns a shape, not a value",
  prefixView: "shares memory with its argument, so it has no separate value",
};
