import {
  type ActorCriticOptions,
  actorCritic,
  type EnvSpec,
  type Policy,
  type RecurrentActorCriticOptions,
  recurrentActorCritic,
} from "@reins/core";

/** What an actor and a critic are told, and how they remember, if they do. */
type Remembering = ActorCriticOptions &
  Omit<RecurrentActorCriticOptions, "kind"> & {
    readonly memory: "none" | NonNullable<RecurrentActorCriticOptions["kind"]>;
  };

/** An actor and a critic, with the memory that the options of `memory` ask for. */
export function remembering(spec: EnvSpec, options: Remembering): Policy {
  const { memory } = options;
  return memory === "none"
    ? (actorCritic(spec, options) as Policy)
    : (recurrentActorCritic(spec, { ...options, kind: memory }) as Policy);
}
