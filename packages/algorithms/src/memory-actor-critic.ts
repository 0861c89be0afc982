import type { EnvSpec, Policy } from "@reins/core";
import {
  type ActorCriticOptions,
  actorCritic,
  type RecurrentActorCriticOptions,
  recurrentActorCritic,
} from "@reins/core/policies";

/** Settings of an actor and a critic with optional memory. */
type Remembering = ActorCriticOptions &
  Omit<RecurrentActorCriticOptions, "kind"> & {
    readonly memory: "none" | NonNullable<RecurrentActorCriticOptions["kind"]>;
  };

/** An actor and a critic, with the memory that the `memory` options select. */
export function remembering(spec: EnvSpec, options: Remembering): Policy {
  const { memory } = options;
  return memory === "none"
    ? (actorCritic(spec, options) as Policy)
    : (recurrentActorCritic(spec, { ...options, kind: memory }) as Policy);
}
