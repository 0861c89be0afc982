import { Tensor } from "@reins/tensor";
import { type Episode, makers } from "../episode.ts";
import { meanOf } from "../evaluations/mean.ts";
import type { Evidence } from "./rule.ts";

/** Recent behaviour of one role of a run. */
export interface RoleMeasure {
  readonly name: string;
  /** Steps that it took. */
  readonly steps: number;
  /** Mean of -log p of its sampled actions, in nats: an estimate of its entropy. */
  readonly entropy: number;
  /** Mean reward: per episode if episodes are judged, otherwise per step. */
  readonly reward: number;
}

/** An episode of a conversation, with the role whose view it is. */
type RoleEpisode = Episode & { readonly answered?: { readonly role?: string } };

/** Each role of the latest episodes or steps: roles of conversations, or agents of a multi-agent environment. */
export function roleMeasures({ episodes, columns, spec }: Evidence): RoleMeasure[] {
  const roles = new Map<string, { surprise: number[]; reward: number[] }>();
  const roleOf = (name: string) => {
    const known = roles.get(name) ?? { surprise: [], reward: [] };
    roles.set(name, known);
    return known;
  };
  for (const { episode, reward } of episodes ?? []) {
    const { logProb, by } = episode.columns;
    if (!(logProb instanceof Tensor && by instanceof Tensor) || episode.role) continue;
    const role = roleOf(`the role ${(episode as RoleEpisode).answered?.role ?? "of the model"}`);
    role.reward.push(reward);
    for (let i = 0; i < by.size; i++)
      if (makers[by.data[i]] === "policy") role.surprise.push(-logProb.data[i]);
  }
  const { logProb, reward } = columns ?? {};
  if (spec.agents && logProb instanceof Tensor && reward instanceof Tensor && logProb.rank === 2)
    for (let i = 0; i < logProb.size; i++) {
      const slot = (i % logProb.shape[1]) % spec.agents.names.length;
      const role = roleOf(`the agent ${spec.agents.policies?.[slot] ?? spec.agents.names[slot]}`);
      role.surprise.push(-logProb.data[i]);
      role.reward.push(reward.data[i]);
    }
  return [...roles].map(([name, { surprise, reward }]) => ({
    name,
    steps: surprise.length,
    entropy: meanOf(surprise),
    reward: meanOf(reward),
  }));
}
