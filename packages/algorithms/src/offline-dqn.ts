import {
  bodyFor,
  type Columns,
  type Discrete,
  dataset,
  define,
  fail,
  Live,
  offline,
  onBody,
  setting,
  showSpace,
  size,
} from "@reins/core";
import { leaves } from "@reins/tensor";
import * as rows from "./options.ts";
import { greedy, type Values } from "./q/greedy.ts";
import { qLearner } from "./q/learner.ts";
import { qNetwork } from "./q/network.ts";
import { expected } from "./q/value-form.ts";

/** Deep Q-learning from recorded transitions: `data` of the run are columns `observation`, `action`, `reward`, `discount`, `next`. */
export const offlineDqn = define({
  name: "offline-dqn",
  summary: "Double DQN with apart streams for states and advantages, on recorded transitions alone.",
  options: {
    learningRate: setting(1e-3, "Size of a step. Higher learns faster until it diverges (1e-4 to 1e-2).", {
      within: "nonnegative",
    }),
    tau: setting(0.005, "How far the target network follows at each update (0.001 to 0.1).", {
      within: "share",
    }),
    clipNorm: setting(10, "Longest gradient. Lower is steadier and slower (0.5 to 10).", {
      within: "positive",
    }),
    batch: size(128, "Entries in a minibatch. More is steadier and costs more (32 to 4096).", {
      within: "count",
    }),
    dueling: size(true, "Apart streams for states and advantages (Wang et al., 2016)."),
    hidden: rows.hidden([64, 64]),
    ...rows.body,
  },
  actions: ["discrete"],
  start(o, context) {
    const { spec, data } = context;
    if (!data) fail("offline-dqn", "it learns from recorded transitions. Give the run `data`.");
    const space = spec.action as Discrete;
    const experience = dataset(data as Columns);
    for (const { data: actions } of leaves(experience.columns.action))
      for (const action of actions)
        if (!(action >= space.start && action < space.start + space.n))
          fail(
            "offline-dqn",
            `the data have action ${action}, which ${spec.id} does not know: it has ${showSpace(space)}.`,
          );
    const body = bodyFor(spec.observation, o);
    const outputs = { actions: space.n, atoms: 1 };
    const network = onBody(body, qNetwork({ ...o, ...outputs, inputs: body.features, noisy: false }));
    const values: Values = (w, observation, _, learn) => network.apply(w, observation, { learn });
    return offline(
      {
        name: "offline-dqn",
        batch: o.batch,
        updates: 50,
        policy: greedy(space, expected("squared"), values, new Live("epsilon", 0), 1),
        learner: qLearner({ ...o, init: network.init, values }),
        experience,
      },
      context,
    );
  },
});
