import type { Port, Program } from "./graph.ts";

/** Operations that reshape a choice into the action. */
const passing = new Set(["reshape", "cast", "concat", "permute", "broadcast", "add"]);

/**
 * The scores that each choice of an action maximises: logits of a policy, or Q values. Choices that a mask forbids have very low scores.
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
    // A bit is 1 if its logit is positive.
    else if (op === "gt" && isReal) found.add(from);
    else if (passing.has(op)) inputs.forEach(visit);
  };
  for (const { name, step } of outputs) if (!name.startsWith("next")) visit(step);
  return [...found].map((step, i) => ({ name: found.size === 1 ? "scores" : `scores.${i}`, step }));
}
