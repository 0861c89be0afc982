import {
  type BodyLayer,
  bodyFor,
  byAgent,
  type Discrete,
  define,
  fail,
  nStep,
  offPolicy,
  onBody,
  replay,
  setting,
  signals,
  size,
} from "@reins/core";
import { body, epsilon, hidden } from "./options.ts";
import { greedy, type Values } from "./q/greedy.ts";
import { grouped } from "./q/group-layer.ts";
import { qLearner } from "./q/learner.ts";
import { qNetwork } from "./q/network.ts";
import { expected } from "./q/value-form.ts";

/** Deep Q-learning of several agents, with one network for all of them, one for each, or one for each group of neighbours. */
export const groupedDqn = define({
  name: "grouped-dqn",
  summary: "Several agents learn by DQN: with one network that they share, with their own, or in groups.",
  options: {
    groups: size(1, "Networks. 1 is shared by all agents; as many as agents makes them independent.", {
      within: "count",
    }),
    learningRate: setting(1e-3, "Size of a step. Higher learns faster until it diverges (1e-4 to 1e-2).", {
      within: "nonnegative",
    }),
    gamma: setting(0.9, "Discount. Higher looks further ahead and varies more (0.5 to 0.99).", {
      within: "share",
    }),
    epsilon: epsilon(signals.linear(1, 0.05, 0.5)),
    tau: setting(0.02, "How far the target network follows at each update (0.005 to 0.1).", {
      within: "share",
    }),
    clipNorm: setting(
      Number.POSITIVE_INFINITY,
      "Longest gradient, of all networks together. A limit would let one group's errors slow down the others.",
      { within: "positive" },
    ),
    batch: size(32, "Entries in a minibatch for each agent. More is steadier and costs more (8 to 128).", {
      within: "count",
    }),
    capacity: size(2000, "Transitions of each agent that are remembered (10³ to 10⁵).", { within: "count" }),
    envs: size(4, "Games played at once (1 to 16).", { within: "count" }),
    trainEvery: size(1, "Steps of each game between updates (1 to 16).", { within: "count" }),
    learningStarts: size(500, "Random steps before learning (100 to 5000).", { within: "whole" }),
    hidden: hidden([16]),
    ...body,
  },
  actions: ["discrete"],
  start(o, context) {
    const { spec } = context;
    const agents = spec.agents?.names.length ?? fail("grouped-dqn", `${spec.id} has one agent. Use dqn.`);
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
    // What learns nothing is the same for all groups, and comes before they are told apart.
    const network = grouped(sight.init ? onBody(sight, own) : (own as BodyLayer), agents, o.groups);
    const values: Values = (w, observation, _, learn) =>
      network.apply(w, sight.init ? observation : sight.apply(undefined, observation, 1), { learn });
    return offPolicy(
      {
        ...o,
        name: "grouped-dqn",
        envs: o.envs,
        updates: 1,
        batch: o.batch * agents,
        policy: greedy(space, expected("squared"), values, o.epsilon, 1),
        learner: qLearner({ ...o, init: network.init, values }),
        replay: replay({
          capacity: o.capacity * agents,
          record: nStep({ gamma: o.gamma }),
          choose: byAgent(agents),
        }),
      },
      context,
    );
  },
});
