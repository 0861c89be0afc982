import { type EnvContext, fail, type VectorEnv } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { BatchedEnv } from "../batch-form.ts";
import { innermost, Wrapper } from "./wrapper.ts";

/** Source of contexts: a list to sample from, or a function of the row and its random numbers. */
export type Contexts = readonly EnvContext[] | ((random: Generator, row: number) => EnvContext);

/**
 * Samples a context for every episode, from a list or a function: domain randomisation and contextual problems. A
 * context passed to `reset` takes precedence.
 *
 * @example
 * context(make("CartPole-v1", { rows: 64 }), (random) => ({ poleLength: random.uniform(0.3, 0.7) }));
 */
export function context(env: VectorEnv, contexts: Contexts): VectorEnv {
  return new Contextual(env, contexts);
}

class Contextual extends Wrapper {
  constructor(inner: VectorEnv, contexts: Contexts) {
    const root = innermost(inner);
    if (!(root instanceof BatchedEnv))
      fail(
        "context",
        `${inner.spec.id} accepts a context only in reset(). Pass it there, or implement it as a BatchedEnv.`,
      );
    if (typeof contexts !== "function" && contexts.length === 0)
      fail("context", "the list of contexts is empty. Pass at least one.");
    // The row's own stream is used, so that a seed determines the contexts and save() stores them.
    root.contexts((row, random) =>
      typeof contexts === "function" ? contexts(random, row) : contexts[random.integers(0, contexts.length)],
    );
    super(inner);
  }
}
