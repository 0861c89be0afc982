import { fail } from "@reins/core";
import { loopIn, type Step, sizeOf, stepsOf } from "../graph.ts";
import { Emitter } from "./emitter.ts";

/** Writes a loop with an array for each result, or locates one of its results. */
export function scan(
  e: Emitter,
  step: Step,
  at: number,
  writeSteps: (e: Emitter, given: (step: number) => boolean) => void,
): void {
  if (step.op === "element") return element(e, step, at);
  const { carries, elements, length, reverse, counted, outputs, ...graph } = loopIn(step);
  const steps = stepsOf({ ...graph, outputs });
  const body = new Emitter(steps, e.source, e.text);
  const own = steps.flatMap(({ op }, i) => (op === "input" ? [i] : []));
  const begins = own.map((i, k) => {
    const from = e.at(step.inputs[k]);
    // Carries and scanned elements have their own arrays.
    if (k < carries + elements) body.make(i);
    else body.set(i, from);
    return from;
  });
  own.slice(0, carries).forEach((i, k) => void e.lines.push(`${body.at(i)}.set(${begins[k]});`));
  const results = outputs.map((i, k) => {
    const size = body.size(i) * (k < carries ? 1 : length);
    return e.array(steps[i].dtype, size);
  });
  const last = step.inputs[step.inputs.length - 1];
  const limit = counted ? `Math.min(${length}, ${e.at(last)}[0])` : length;
  own.slice(carries, carries + elements).forEach((i, k) => {
    const size = body.size(i);
    body.lines.push(`${body.at(i)}.set(${begins[carries + k]}.subarray(t * ${size}, (t + 1) * ${size}));`);
  });
  writeSteps(body, (i) => steps[i].op === "input");
  outputs.forEach((i, k) => {
    const size = sizeOf(body.shape(i));
    body.lines.push(
      k < carries ? `${results[k]}.set(${body.at(i)});` : `${results[k]}.set(${body.at(i)}, t * ${size});`,
    );
  });
  // All are read before any is written, since carries may be permuted.
  own.slice(0, carries).forEach((i, k) => void body.lines.push(`${body.at(i)}.set(${results[k]});`));
  e.lines.push(
    ...results.slice(0, carries).map((name, k) => `${name}.set(${begins[k]});`),
    `for (let s = 0; s < ${limit}; s++) {`,
    `const t = ${reverse ? `${length - 1} - s` : "s"};`,
    ...body.lines,
    "}",
  );
  e.results.set(at, results);
}

/** One result of a loop. */
function element(e: Emitter, { inputs: [loop], attributes }: Step, at: number): void {
  const name = e.results.get(loop)?.[Number(attributes.index)];
  e.set(at, name ?? fail(e.source, "modules do not support the intermediate carries of a loop."));
}
