import { type CurrentPolicy, readPolicy, type Value, type VectorEnv } from "@reins/core";
import { Wrapping } from "../places/wrappers.ts";
import type { AgentContent } from "./agent-file.ts";
import { type Allowed, type Decider, pilotsFor } from "./pilot.ts";

/** The half of an agent that acts: what a page needs of it. */
export interface ActingAgent {
  /** What it was trained on. */
  readonly spec: AgentContent["spec"];
  /** The name of the algorithm that trained it. */
  readonly algorithm: string;
  /** Environment steps that it has learned from. */
  readonly steps: number;
  /** Whether actions were forbidden at times where it was trained: `act` then needs a mask. */
  readonly masked: boolean;
  /**
   * The action for an observation, both as plain values. Where some actions are forbidden, a mask says which are allowed, as it is or as
   * `{ mask }`.
   */
  act(observation: Value, mask?: Allowed): Value;
  /** Begins a new episode: an agent with memory forgets. */
  forget(): void;
}

/** An agent from what a file holds; `playing` says how its policy is run. */
export function actingFrom(
  content: AgentContent,
  source: string,
  playing: (policy: CurrentPolicy, env: VectorEnv) => Decider,
): ActingAgent & { readonly current: CurrentPolicy; readonly wrapping: Wrapping } {
  const { spec, algorithm, steps, wrappers, masked = false } = content;
  const current = readPolicy(content.policy, source);
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
