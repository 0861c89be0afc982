import type { EnvSpec, StepEnvironment, VectorEnv } from "@reins/core";
import { checkSpaces } from "@reins/core/evaluations";

/** The training environment of an agent and its wrappers. */
export interface TrainingEnv {
  readonly spec: EnvSpec;
  /** The specification with wrappers, as the policy sees it. */
  readonly outer: EnvSpec;
  wrap(env: VectorEnv): VectorEnv;
}

/** Another environment for an agent, with the wrappers of its training. Refuses one with other spaces. */
export function evaluationPlace({ spec, outer, wrap }: TrainingEnv, place: StepEnvironment): StepEnvironment {
  checkSpaces(spec, place.spec);
  const { observation, action } = outer;
  return { spec: { ...place.spec, observation, action }, make: (rows) => wrap(place.make(rows)) };
}
