import type { Port, Program, Step } from "./graph.ts";

/**
 * Removes inputs and outputs that the action does not depend on: state that is used only for exploration, and the agent index of shared
 * policies. Observations stay, even if unused.
 */
export function pruneState({ inputs, outputs, ...program }: Program): Program {
  const next = new Map(outputs.filter((p) => p.name.startsWith("next")).map((p) => [p.name, p]));
  const kept = outputs.filter((p) => !p.name.startsWith("next"));
  let read = reached(program.steps, kept);
  // A used state is carried to the next step, which may use other states.
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
  const isUsed = ({ name, step }: Port) =>
    name.startsWith("observation") || name === "mask" || read.has(step);
  return pruneSteps({ ...program, inputs: inputs.filter(isUsed), outputs: kept });
}

/** The steps that values depend on, including themselves. */
export function reached(steps: readonly Step[], ports: readonly Pick<Port, "step">[]): Set<number> {
  const seen = new Set(ports.map((p) => p.step));
  for (let i = steps.length - 1; i >= 0; i--) if (seen.has(i)) for (const n of steps[i].inputs) seen.add(n);
  return seen;
}

/** Removes unused steps and renumbers the rest. */
export function pruneSteps({ steps, weights, inputs, outputs }: Program): Program {
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
