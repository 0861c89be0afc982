import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import { copiesOf } from "./contract.ts";
import type { MultiEnv } from "./multi-env.ts";
import { VectorisedMulti } from "./vectorised-multi.ts";

/**
 * Many copies of a multi-agent environment as a VectorEnv: the row of an agent is copy × agents + slot, and copies are
 * seeded by `rowSeeds`. A row ends when its agent leaves or the episode is over; the copy then starts a new episode in the same step.
 * `ended.length` counts the actions of the agent. An agent that leaves without a last observation keeps the previous one as `final`.
 */
export function vectoriseMulti(make: (index: number) => MultiEnv, copies: number): VectorEnv {
  const envs = copiesOf("vectoriseMulti", make, copies);
  const { id, agents } = envs[0].spec;
  if (!agents?.names.length) fail(id, "spec.agents is missing. Set it, or write an Env and use vectorise().");
  return new VectorisedMulti(envs);
}
