import type { ActingPolicy, CurrentPolicy, Snapshot, VectorEnv } from "@reins/core";
import { policyInput } from "@reins/core/episodes";
import { requireActingPolicy } from "@reins/core/policies";
import { restore, save } from "@reins/core/snapshots";
import { type Tensor, type Tree, zeros } from "@reins/tensor";
import { readAgent } from "./agent-file.ts";
import { type AgentSource, bytesOf } from "./bytes.ts";
import { type ActingAgent, actingFrom } from "./content.ts";
import type { Decider } from "./pilot.ts";

export type { AgentSource } from "./bytes.ts";
export type { ActingAgent } from "./content.ts";

/** Runs a policy without the compiler, operation by operation. */
class EagerPlayer implements Decider {
  private readonly policy: ActingPolicy;
  private readonly weights: Tree;
  private readonly env: VectorEnv;
  private readonly first: Tensor;
  private state: Tree;

  constructor({ policy, weights }: CurrentPolicy, env: VectorEnv) {
    this.policy = requireActingPolicy(policy, "act");
    this.weights = weights;
    this.env = env;
    this.first = zeros([env.rows], "bool").set(1);
    this.state = this.begin();
  }

  private begin(): Tree {
    return this.policy.start?.(this.env.rows) ?? {};
  }

  step(): void {
    const { action, state } = this.policy.act(this.weights, policyInput(this.env, this.first), this.state);
    this.state = state;
    this.env.step(action);
    this.first.data.fill(0);
  }

  reset(): void {
    this.state = this.begin();
    this.first.data.fill(1);
  }

  save(): Snapshot {
    return save({ state: this.state, first: this.first });
  }

  restore(from: Snapshot): void {
    restore({ state: this.state, first: this.first }, from);
  }
}

/**
 * Loads an agent from a file that `agent.save()` wrote, only to act: without compiler and environments, in a few
 * kilobytes. `loadAgent` of `reins` returns one that is faster and can be evaluated.
 *
 *     import { loadAgent } from "reins/agent";
 *     const agent = await loadAgent("/cart.agent");
 *     const action = agent.act(observation);
 */
export async function loadAgent(from: AgentSource): Promise<ActingAgent> {
  const { bytes, name } = await bytesOf(from);
  const {
    current: _,
    wrapping: __,
    ...agent
  } = actingFrom(readAgent(bytes, name), name, (policy, env) => new EagerPlayer(policy, env));
  return agent;
}
