import { admitSpaces, type EnvSpec, type StepPlace, type VectorEnv } from "@reins/core";

/** What an agent knows of where it plays: what it was trained on, within its wrappers and as they show it. */
export interface Surroundings {
  readonly spec: EnvSpec;
  /** As the policy sees it. */
  readonly outer: EnvSpec;
  wrap(env: VectorEnv): VectorEnv;
}

/** Another environment for an agent, within the wrappers that it was trained in. One of another shape is refused. */
export function placeFor({ spec, outer, wrap }: Surroundings, place: StepPlace): StepPlace {
  admitSpaces(spec, place.spec);
  const { observation, action } = outer;
  return { spec: { ...place.spec, observation, action }, make: (rows) => wrap(place.make(rows)) };
}
