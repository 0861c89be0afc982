import { folded } from "./fold.ts";
import { type Dim, dimsIn, numberIn, numbersIn, type Program, type Step, sameDims } from "./graph.ts";
import { pruneSteps } from "./prune.ts";

/** Simplifies a program: removes identity operations and folds constants. */
export function simplified(program: Program, source: string): Program {
  const { steps } = program;
  const same = steps.map((_, i) => i);
  const values: (number | undefined)[] = [];
  const made = steps.map((step, i): Step => {
    const now = { ...step, inputs: step.inputs.map((n) => same[n]) };
    const inputs = now.inputs.map((n) => steps[n]);
    values[i] = uniform(now, values);
    const alike = aliasOf(now, inputs, values);
    if (alike !== undefined) same[i] = alike;
    return now;
  });
  const outputs = program.outputs.map(({ name, step }) => ({ name, step: same[step] }));
  return folded(pruneSteps({ ...program, steps: made, outputs }), source);
}

/** The number that fills a value, if it is known. */
function uniform(step: Step, values: readonly (number | undefined)[]): number | undefined {
  const [first] = step.inputs.map((n) => values[n]);
  switch (step.op) {
    case "constant":
      return numberIn(step, "value");
    case "reshape":
    case "broadcast":
    case "permute":
    case "slice":
      return first;
    case "not":
      return first === undefined || step.dtype !== "bool" ? undefined : Number(first === 0);
    case "cast":
      return first === undefined || step.dtype !== "bool" ? undefined : Number(first !== 0);
    default:
      return undefined;
  }
}

/** The step that a step is equal to, if any. */
function aliasOf(
  step: Step,
  inputs: readonly Step[],
  values: readonly (number | undefined)[],
): number | undefined {
  const [a, b, c] = step.inputs;
  switch (step.op) {
    case "reshape":
    case "broadcast":
      return sameDims(inputs[0].shape, step.shape) ? a : undefined;
    case "permute":
      return numbersIn(step, "axes").every((axis, i) => axis === i) ? a : undefined;
    case "slice":
      return isWhole(step, inputs[0].shape) ? a : undefined;
    case "cast":
      return inputs[0].dtype === step.dtype ? a : undefined;
    case "where":
      return values[a] === undefined ? undefined : values[a] ? b : c;
    case "add":
      return values[b] === 0 ? a : values[a] === 0 ? b : undefined;
    case "sub":
      return values[b] === 0 ? a : undefined;
    case "mul":
      return values[b] === 1 ? a : values[a] === 1 ? b : undefined;
    case "div":
      return values[b] === 1 ? a : undefined;
    default:
      return undefined;
  }
}

const isWhole = (step: Step, shape: readonly Dim[]) =>
  numbersIn(step, "step").every((n) => n === 1) && sameDims(dimsIn(step, "size"), shape);
