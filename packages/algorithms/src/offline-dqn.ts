import { type Columns, type Discrete, define, fail, setting, size } from "@reins/core";
import { offline } from "@reins/core/loops";
import { bodyFor, bodyLayer } from "@reins/core/policies";
import { dataset } from "@reins/core/replay";
import { LiveValue } from "@reins/core/settings";
import { showSpace } from "@reins/core/spaces";
import { leaves } from "@reins/tensor";
import * as rows from "./options.ts";
import { greedy, type Values } from "./q/greedy.ts";
import { qLearner } from "./q/learner.ts";
import { qNetwork } from "./q/network.ts";

/**
 * Deep Q-learning from recorded transitions: the run's `data` has the columns `observation`, `action`, `reward`,
 * `discount`, `next`.
 */
export const offlineDqn = define({
  name: "offline-dqn",
  summary: "Double DQN with a dueling network, on recorded transitions only.",
  options: {
    learningRate: setting(1e-3, "Learning rate. Higher learns faster until it diverges (1e-4 to 1e-2).", {
      within: "nonnegative",
    }),
    tau: setting(0.005, "Polyak coefficient of the target network at each update (0.001 to 0.1).", {
      within: "share",
    }),
    clipNorm: setting(10, "Maximum gradient norm. Lower is steadier and slower (0.5 to 10).", {
      within: "positive",
    }),
    batch: size(128, "Minibatch size. More is steadier and costs more (32 to 4096).", {
      within: "count",
    }),
    dueling: size(
      true,
      "Dueling network: separate streams for state values and advantages (Wang et al., 2016).",
    ),
    hidden: rows.hidden([64, 64]),
    ...rows.body,
  },
  actions: ["discrete"],
  start(o, context) {
    const { spec, data } = context;
    if (!data) fail("offline-dqn", "it learns from recorded transitions. Pass them to the run as `data`.");
    const space = spec.action as Discrete;
    const experience = dataset(data as Columns);
    for (const { data: actions } of leaves(experience.columns.action))
      for (const action of actions)
        if (!(action >= space.start && action < space.start + space.n))
          fail(
            "offline-dqn",
            `the data contains action ${action}, which is outside the action space of ${spec.id}, ${showSpace(space)}.`,
          );
    const body = bodyFor(spec.observation, o);
    const outputs = { actions: space.n, atoms: 1 };
    const network = bodyLayer(body, qNetwork({ ...o, ...outputs, inputs: body.features, noisy: false }));
    const values: Values = (w, observation, _, learn) => network.apply(w, observation, { learn });
    return offline(
      {
        name: "offline-dqn",
        batch: o.batch,
        updates: 50,
        policy: greedy({ space, values, epsilon: new LiveValue("epsilon", 0) }),
        learner: qLearner({ ...o, init: network.init, values, start: space.start }),
        experience,
      },
      context,
    );
  },
});
