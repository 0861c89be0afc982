import type { CurrentPolicy, Value, VectorEnv } from "@reins/core";
import { importPolicy } from "@reins/core/policies";
import { Wrapping } from "../places/wrappers.ts";
import type { AgentContent } from "./agent-file.ts";
import { type Allowed, type Decider, pilotsFor } from "./pilot.ts";

/** The acting part of an agent, without evaluation. */
export interface ActingAgent {
  /** The training environment. */
  readonly spec: AgentContent["spec"];
  /** The name of the algorithm that trained it. */
  readonly algorithm: string;
  /** Environment steps of its training. */
  readonly steps: number;
  /** Whether the training environment masks actions; `act` then needs a mask. */
  readonly masked: boolean;
  /**
   * The action for an observation, both as plain values. `mask` marks the allowed actions, as an array or as
   * `{ mask }`. In a game with several policies, `{ agent }` is the agent that acts.
   */
  act(observation: Value, mask?: Allowed): Value;
  /** Starts a new episode: resets recurrent state. */
  forget(): void;
}

/** An agent from the content of its file; `playing` creates the policy runner. */
export function actingFrom(
  content: AgentContent,
  source: string,
  playing: (policy: CurrentPolicy, env: VectorEnv) => Decider,
): ActingAgent & { readonly current: CurrentPolicy; readonly wrapping: Wrapping } {
  const { spec, algorithm, steps, wrappers, masked = false } = content;
  const current = importPolicy(content.policy, source);
  const wrapping = new Wrapping(
    wrappers.map((w) => w.name),
    wrappers,
  );
  const pilots = pilotsFor({
    spec,
    wrap: (env) => wrapping.evaluate(env),
    needsMask: () => masked,
    decide: (env) => playing(current, env),
  });
  return { current, wrapping, spec, algorithm, steps, masked, ...pilots };
}
