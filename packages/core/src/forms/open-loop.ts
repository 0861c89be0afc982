import type { Env, Step } from "../env.ts";
import { fail } from "../errors.ts";
import { type Box, box } from "../space.ts";
import { elements } from "../spaces/layout.ts";

/**
 * An environment whose one action is a whole sequence of actions of another's, [steps, …], played without looking: an episode is one
 * step, and its reward is the sum. The other's actions must be numbers.
 */
export function openLoop<O>(env: Env<O, ArrayLike<number>>, steps: number): Env<O, ArrayLike<number>> {
  const { spec } = env;
  if (spec.action.kind !== "box") fail(spec.id, "only actions that are boxes can be put in a sequence.");
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
