import { type Discrete, define, fail, setting, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { type BodyLayer, bodyFor, bodyLayer } from "@reins/core/policies";
import { nStep, perAgentSampler, replay } from "@reins/core/replay";
import * as signals from "@reins/core/signals";
import { body, epsilon, hidden } from "./options.ts";
import { greedy, type Values } from "./q/greedy.ts";
import { grouped } from "./q/group-layer.ts";
import { qLearner } from "./q/learner.ts";
import { qNetwork } from "./q/network.ts";

/** Deep Q-learning for several agents, with one shared network, one per agent, or one per group of neighbours. */
export const groupedDqn = define({
  name: "grouped-dqn",
  summary: "DQN for several agents: with one shared network, independent networks, or networks per group.",
  options: {
    groups: size(
      1,
      "Number of networks. 1 is shared by all agents; as many as agents makes them independent.",
      {
        within: "count",
      },
    ),
    learningRate: setting(1e-3, "Learning rate. Higher learns faster until it diverges (1e-4 to 1e-2).", {
      within: "nonnegative",
    }),
    gamma: setting(0.9, "Discount factor. Higher looks further ahead, with more variance (0.5 to 0.99).", {
      within: "share",
    }),
    epsilon: epsilon(signals.linear(1, 0.05, 0.5)),
    tau: setting(0.02, "Polyak coefficient of the target network at each update (0.005 to 0.1).", {
      within: "share",
    }),
    clipNorm: setting(
      Number.POSITIVE_INFINITY,
      "Maximum gradient norm, over all networks. A limit lets one group's errors slow down the others.",
      { within: "positive" },
    ),
    batch: size(32, "Minibatch size per agent. More is steadier and costs more (8 to 128).", {
      within: "count",
    }),
    capacity: size(2000, "Replay buffer size per agent (10³ to 10⁵).", { within: "count" }),
    envs: size(4, "Parallel games (1 to 16).", { within: "count" }),
    trainEvery: size(1, "Steps of each game between updates (1 to 16).", { within: "count" }),
    learningStarts: size(500, "Random steps before the first update (100 to 5000).", { within: "whole" }),
    hidden: hidden([16]),
    ...body,
  },
  actions: ["discrete"],
  start(o, context) {
    const { spec } = context;
    const agents = spec.agents?.names.length ?? fail("grouped-dqn", `${spec.id} has one agent. Use dqn.`);
    // The replay buffer tells agents apart by the order of entries, and waiting agents have none.
    if (spec.agents?.order === "turns")
      fail("grouped-dqn", `in ${spec.id} agents take turns, but all must act in every step. Use dqn.`);
    const space = spec.action as Discrete;
    const sight = bodyFor(spec.observation, o);
    const own = qNetwork({
      inputs: sight.features,
      actions: space.n,
      atoms: 1,
      hidden: o.hidden,
      dueling: false,
      noisy: false,
    });
    // Fixed preprocessing is shared by all groups and runs before rows are split.
    const network = grouped(sight.init ? bodyLayer(sight, own) : (own as BodyLayer), agents, o.groups);
    const values: Values = (w, observation, _, learn) =>
      network.apply(w, sight.init ? observation : sight.apply(undefined, observation, 1), { learn });
    return offPolicy(
      {
        ...o,
        name: "grouped-dqn",
        envs: o.envs,
        updates: 1,
        batch: o.batch * agents,
        policy: greedy({ space, values, epsilon: o.epsilon }),
        learner: qLearner({ ...o, init: network.init, values, start: space.start }),
        replay: replay({
          capacity: o.capacity * agents,
          record: nStep({ gamma: o.gamma }),
          choose: perAgentSampler(agents),
        }),
      },
      context,
    );
  },
});
