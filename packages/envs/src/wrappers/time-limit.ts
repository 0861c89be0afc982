import { fail, type VectorEnv } from "@reins/core";
import { BatchedEnv } from "../batch-form.ts";
import { innermost, Wrapper } from "./wrapper.ts";

/** Truncates episodes after `maxSteps`, whatever the environment's own limit is. */
export function timeLimit(env: VectorEnv, maxSteps: number): VectorEnv {
  return new TimeLimit(env, maxSteps);
}

class TimeLimit extends Wrapper {
  constructor(inner: VectorEnv, maxSteps: number) {
    // Only the environment itself can reset a single row, so the limit is set there.
    const root = innermost(inner);
    if (!(root instanceof BatchedEnv))
      fail(
        "timeLimit",
        `${inner.spec.id} truncates its own episodes. Set maxSteps in its spec: vectorise() applies it.`,
      );
    root.cut(maxSteps);
    super(inner, { spec: { maxSteps } });
  }
}
