import { type CurrentPolicy, readPolicy, type Value, type VectorEnv } from "@reins/core";
import { Wrapping } from "../places/wrappers.ts";
import type { AgentContent } from "./agent-file.ts";
import { type Decider, Pilot } from "./pilot.ts";

/** The half of an agent that acts: what a page needs of it. */
export interface ActingAgent {
  /** What it was trained on. */
  readonly spec: AgentContent["spec"];
  /** The name of the algorithm that trained it. */
  readonly algorithm: string;
  /** Environment steps that it has learned from. */
  readonly steps: number;
  /** The action for an observation, both as plain values. `mask` has an entry (0 or 1) for each choice, where some are forbidden. */
  act(observation: Value, mask?: ArrayLike<number>): Value;
  /** Begins a new episode: an agent with memory forgets. */
  forget(): void;
}

/** An agent from what a file holds; `playing` says how its policy is run. */
export function actingFrom(
  content: AgentContent,
  source: string,
  playing: (policy: CurrentPolicy, env: VectorEnv) => Decider,
): ActingAgent & { readonly current: CurrentPolicy; readonly wrapping: Wrapping } {
  const { spec, algorithm, steps, wrappers } = content;
  const current = readPolicy(content.policy, source);
  const wrapping = new Wrapping(
    wrappers.map((w) => w.name),
    wrappers,
  );
  let pilot: Pilot | undefined;
  return {
    current,
    wrapping,
    spec,
    algorithm,
    steps,
    act(observation, mask) {
      const masked = mask !== undefined;
      if (pilot?.masked !== masked)
        pilot = new Pilot({
          spec,
          wrap: (env) => wrapping.evaluate(env),
          masked,
          decide: (env) => playing(current, env),
        });
      return pilot.act(observation, mask);
    },
    forget: () => pilot?.forget(),
  };
}
