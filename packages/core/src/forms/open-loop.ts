import type { Env, Step } from "../env.ts";
import { fail } from "../errors.ts";
import { type Box, box } from "../space.ts";
import { elements } from "../spaces/layout.ts";

/**
 * An environment whose single action is a whole sequence of another environment's actions, [steps, …], executed open-loop: an episode is
 * one step, and its reward is the sum. The inner actions must be boxes.
 */
export function openLoop<O>(env: Env<O, ArrayLike<number>>, steps: number): Env<O, ArrayLike<number>> {
  const { spec } = env;
  if (spec.action.kind !== "box") fail(spec.id, "openLoop needs box actions.");
  const one: Box = spec.action;
  const width = elements(one);
  const repeat = (bound: Box["low"]) =>
    typeof bound === "number" ? bound : Array.from({ length: steps * width }, (_, i) => bound[i % width]);
  return {
    ...env,
    spec: { ...spec, action: box([steps, ...one.shape], repeat(one.low), repeat(one.high)), maxSteps: 1 },
    step(sequence): Step<O> {
      let total = 0;
      for (let s = 0; ; s++) {
        const action = Float32Array.from({ length: width }, (_, i) => sequence[s * width + i]);
        const { reward, ...rest } = env.step(action);
        total += reward as number;
        if (rest.terminated || rest.truncated || s === steps - 1)
          return { ...rest, reward: total, terminated: true, truncated: false };
      }
    },
  };
}
