import type { Port, Program, Step } from "./graph.ts";

/**
 * A program with what its action depends on, and nothing else: the state that a policy carries for exploration goes, and so does the slot
 * of an agent that all play alike. What is observed stays, whether it is looked at or not.
 */
export function needed({ inputs, outputs, ...program }: Program): Program {
  const next = new Map(outputs.filter((p) => p.name.startsWith("next")).map((p) => [p.name, p]));
  const kept = outputs.filter((p) => !p.name.startsWith("next"));
  let read = reached(program.steps, kept);
  // A state that matters is carried on, which may need others.
  for (let found = true; found; ) {
    found = false;
    for (const { name, step } of inputs) {
      const after = next.get(name.replace("state", "next"));
      if (!name.startsWith("state") || !after || !read.has(step) || kept.includes(after)) continue;
      kept.push(after);
      found = true;
    }
    read = reached(program.steps, kept);
  }
  const isAsked = ({ name, step }: Port) =>
    name.startsWith("observation") || name === "mask" || read.has(step);
  return pruned({ ...program, inputs: inputs.filter(isAsked), outputs: kept });
}

/** The steps that values depend on, themselves among them. */
export function reached(steps: readonly Step[], ports: readonly Pick<Port, "step">[]): Set<number> {
  const seen = new Set(ports.map((p) => p.step));
  for (let i = steps.length - 1; i >= 0; i--) if (seen.has(i)) for (const n of steps[i].inputs) seen.add(n);
  return seen;
}

/** A program without the steps that nothing depends on, numbered anew. */
export function pruned({ steps, weights, inputs, outputs }: Program): Program {
  const kept = reached(steps, [...outputs, ...inputs]);
  const numbers = new Map([...kept].sort((a, b) => a - b).map((old, i) => [old, i]));
  const at = (old: number) => numbers.get(old) ?? -1;
  const move = (ports: readonly Port[]) => ports.map(({ name, step }) => ({ name, step: at(step) }));
  return {
    steps: steps.flatMap((s, i) => (kept.has(i) ? [{ ...s, inputs: s.inputs.map(at) }] : [])),
    weights: new Map([...weights].flatMap(([i, w]) => (kept.has(i) ? [[at(i), w] as const] : []))),
    inputs: move(inputs),
    outputs: move(outputs),
  };
}
