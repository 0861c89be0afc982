import { type EnvContext, fail, type Generator, type VectorEnv } from "@reins/core";
import { BatchedEnv } from "../batched.ts";
import { innermost, Wrapper } from "./wrapper.ts";

/** Where contexts come from: a list to draw from, or a function of the row and its random numbers. */
export type Contexts = readonly EnvContext[] | ((random: Generator, row: number) => EnvContext);

/**
 * Every episode has a context of its own, drawn from a list or a function: domain randomisation, and what contextual problems are
 * made of. A context given to `reset` takes precedence.
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
        `${inner.spec.id} takes a context only in reset(). Pass it there, or write it as a BatchedEnv.`,
      );
    if (typeof contexts !== "function" && contexts.length === 0)
      fail("context", "the list of contexts is empty. Give at least one.");
    // The row's own stream draws, so that a seed fixes the contexts and save() keeps them.
    root.contexts((row, random) =>
      typeof contexts === "function" ? contexts(random, row) : contexts[random.integers(0, contexts.length)],
    );
    super(inner);
  }
}
