import { deserialiseFunction, type FunctionData, type Tensor } from "@reins/tensor";
import { isFixed, type Program, type Step, sizeOf, type Weight } from "./graph.ts";
import { pruneSteps, reached } from "./prune.ts";

/** Size up to which a value is always stored instead of computed. */
const small = 256;

/** Constant folding: replaces values that depend only on weights by weights. */
export function folded(program: Program, source: string): Program {
  const { steps, weights, outputs } = program;
  const known = steps.map(() => false);
  /** Whether a value depends on a weight or an iota; constants are cheaper to compute. */
  const stores = steps.map(({ op }) => op === "weight" || op === "iota");
  /** Size of the inputs of a value; a folded value must not be much larger. */
  const budget = steps.map(() => 0);
  steps.forEach((step, i) => {
    known[i] = step.op !== "input" && step.inputs.every((n) => known[n]) && isFixedStep(step);
    stores[i] ||= step.inputs.some((n) => stores[n]);
    budget[i] = step.op === "weight" ? sizeNow(step) : step.inputs.reduce((sum, n) => sum + budget[n], 0) + 1;
  });
  const isStored = (i: number) =>
    known[i] &&
    !["weight", "constant", "scan"].includes(steps[i].op) &&
    stores[i] &&
    sizeNow(steps[i]) <= Math.max(small, budget[i]);
  const wanted = frontier(
    steps,
    outputs.map((p) => p.step),
    isStored,
  );
  if (!wanted.length) return program;
  const values = evaluated(program, wanted, source);
  const done = new Set(wanted);
  const replaced = steps.map(
    (step, i): Step => (done.has(i) ? { ...step, op: "weight", inputs: [], attributes: {} } : step),
  );
  const left = reached(replaced, outputs);
  const names = new Set([...weights].flatMap(([i, w]) => (left.has(i) ? [w.name] : [])));
  const made = wanted.map((i, k): [number, Weight] => [
    i,
    { name: nameOf(i, program, names), tensor: values[k] },
  ]);
  return pruneSteps({ ...program, steps: replaced, weights: new Map([...weights, ...made]) });
}

const sizeNow = ({ shape }: Step) => (isFixed(shape) ? sizeOf(shape) : 0);

/** Whether shape and attributes are independent of the number of rows. */
const isFixedStep = ({ shape, attributes }: Step) =>
  isFixed(shape) && !JSON.stringify(attributes).includes('"plus":');

/** The outermost folded steps, searched from the results. */
function frontier(
  steps: readonly Step[],
  from: readonly number[],
  isStored: (i: number) => boolean,
): number[] {
  const [seen, found] = [new Set<number>(), new Set<number>()];
  const visit = (i: number): void => {
    if (seen.has(i)) return;
    seen.add(i);
    if (isStored(i)) found.add(i);
    else steps[i].inputs.forEach(visit);
  };
  from.forEach(visit);
  return [...found].sort((a, b) => a - b);
}

/** Evaluates steps that depend on no argument. */
function evaluated(
  { steps, weights }: Program,
  wanted: readonly number[],
  source: string,
): readonly Tensor[] {
  const own = pruneSteps({ steps, weights, inputs: [], outputs: wanted.map((step) => ({ name: "", step })) });
  // Functions are read with their arguments first.
  const order = own.steps.map((_, i) => i).sort((a, b) => +own.weights.has(b) - +own.weights.has(a) || a - b);
  const at = new Map(order.map((i, k) => [i, k]));
  const place = (i: number) => at.get(i) ?? 0;
  const data: FunctionData = {
    format: 1,
    arguments: [],
    result: own.outputs.map((_, i) => i),
    graph: {
      nodes: order.map((i) => {
        const { op, inputs, attributes, shape, dtype } = own.steps[i];
        return [op === "weight" ? "input" : op, inputs.map(place), attributes, shape as number[], dtype];
      }),
      outputs: own.outputs.map((p) => place(p.step)),
    },
  };
  const constants = order.flatMap((i) => own.weights.get(i)?.tensor ?? []);
  return deserialiseFunction(data, constants, { source })() as readonly Tensor[];
}

/** The name of a folded value: that of its weight if there is only one. */
function nameOf(i: number, { steps, weights }: Program, taken: Set<string>): string {
  const from = [...reached(steps.slice(0, i + 1), [{ step: i }])].flatMap((n) => weights.get(n)?.name ?? []);
  const base = from.length === 1 ? from[0] : "made";
  let name = base;
  for (let k = 1; taken.has(name); k++) name = `${base}.${k}`;
  taken.add(name);
  return name;
}
