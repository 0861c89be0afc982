import type { Port, Program } from "./graph.ts";

/** Operations behind which a choice may lie: they bring it into the form of the action. */
const passing = new Set(["reshape", "cast", "concat", "permute", "broadcast", "add"]);

/**
 * For each choice that an action is made of, what the best was taken from: the logits of a policy, the values of a Q function; those that
 * a mask forbids are far below all others.
 */
export function scoresOf({ steps, outputs }: Program): Port[] {
  const found = new Set<number>();
  const seen = new Set<number>();
  const visit = (i: number): void => {
    if (seen.has(i)) return;
    seen.add(i);
    const { op, inputs, attributes } = steps[i];
    const [from] = inputs;
    const isReal = steps[from]?.dtype === "f32";
    if (op === "argmax" && isReal && attributes.axis === steps[from].shape.length - 1) found.add(from);
    // A bit is 1 where its logit is above 0.
    else if (op === "gt" && isReal) found.add(from);
    else if (passing.has(op)) inputs.forEach(visit);
  };
  for (const { name, step } of outputs) if (!name.startsWith("next")) visit(step);
  return [...found].map((step, i) => ({ name: found.size === 1 ? "scores" : `scores.${i}`, step }));
}
