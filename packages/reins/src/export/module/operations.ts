import { fail } from "@reins/core";
import type { Op, Step } from "../graph.ts";
import type { Emitter } from "./emitter.ts";
import { castFormula, formulas } from "./formulas.ts";
import { lines } from "./lines.ts";
import { positions } from "./positions.ts";
import { scan } from "./scan.ts";
import { views, type WriteStep } from "./views.ts";

/** All operations except elementwise operations and loops. */
const operations: { readonly [op in Op]?: WriteStep } = {
  ...views,
  ...lines,
  ...positions,
  matmul: (e, step, at) => {
    const [a, b] = step.inputs;
    const [m, k] = e.shape(a).slice(-2);
    const [x, y] = [e.at(a), e.at(b)];
    e.call("matmul", e.make(at), x, y, m, k, e.shape(b)[e.shape(b).length - 1]);
  },
};

/** Writes an elementwise operation. */
function element(e: Emitter, step: Step, at: number): void {
  const types = step.inputs.map((n) => e.steps[n].dtype);
  const args = step.inputs.map((n) => {
    const value = e.number(n);
    if (value === undefined) return `${e.at(n)}[i]`;
    return value < 0 || Object.is(value, -0) ? `(${value})` : String(value);
  });
  const text =
    step.op === "cast"
      ? castFormula(args[0], types[0], step.dtype)
      : formulas[step.op](args, types[types.length - 1]);
  if (text.startsWith("erf(")) e.text.loops.add("erf");
  if (text.startsWith("even(")) e.text.loops.add("even");
  e.lines.push(`for (let i = 0; i < ${e.size(at)}; i++) ${e.make(at)}[i] = ${text};`);
}

/** Writes all steps except weights and arguments. */
export function writeSteps(e: Emitter, given: (step: number) => boolean): void {
  e.steps.forEach((step, at) => {
    if (given(at)) return;
    if (step.op === "scan" || step.op === "element") return scan(e, step, at, writeSteps);
    const write = Object.hasOwn(operations, step.op)
      ? operations[step.op as keyof typeof operations]
      : undefined;
    if (write) write(e, step, at);
    else if (step.op === "cast" || Object.hasOwn(formulas, step.op)) element(e, step, at);
    else
      fail(
        e.source,
        `modules do not support the operation ${step.op}. Save the agent with agent.save(); loadAgent reads it in browsers too.`,
      );
  });
}
