import { add, div, iota, mod, mul } from "@reins/tensor";
import { fail } from "../errors.ts";
import { anyOf, type MakeReplaySampler } from "./choose.ts";

/**
 * Equally many entries of each agent: entry i of a minibatch belongs to agent i mod `agents`, so that every agent's network learns from
 * its own. For agents that are always present and one-step transitions, which are stored in the order of the agents.
 */
export function perAgentSampler(agents: number): MakeReplaySampler {
  return (capacity, batch) => {
    for (const [name, count] of Object.entries({ capacity, batch }))
      if (count % agents)
        fail("perAgentSampler", `the ${name} is ${count}; it must be a multiple of the ${agents} agents.`);
    return {
      bytes: 0,
      pick(count, key, size) {
        const moment = anyOf(count, key, div(size, agents));
        return { index: add(mul(moment, agents), mod(iota([count]), agents)) };
      },
    };
  };
}
