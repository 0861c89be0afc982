import { type ActingPolicy, choice, type Discrete, define, setting, size } from "@reins/core";
import { type OffPolicyParts, offPolicy } from "@reins/core/loops";
import { bodyFor } from "@reins/core/policies";
import { prioritisedSampler, replay, windows } from "@reins/core/replay";
import * as signals from "@reins/core/signals";
import * as nn from "@reins/nn";
import type { Tensor, Tree } from "@reins/tensor";
import * as rows from "./options.ts";
import { explorationRows, greedy } from "./q/greedy.ts";
import { type RecurrentQNetwork, type RecurrentQParams, recurrentQNetwork } from "./q/recurrent-network.ts";
import { type WindowState, windowLearner } from "./q/window-learner.ts";

const { nStep: _, ...replayed } = rows.replayed({ batch: 32, capacity: 50_000, trainEvery: 8 });

/** R2D2 (Kapturowski et al., 2019) in one process: recurrent DQN on replayed windows with stored memory states. */
export const r2d2 = define({
  name: "r2d2",
  summary: "Recurrent DQN, for partially observable environments.",
  paper: "Recurrent Experience Replay in Distributed Reinforcement Learning (Kapturowski et al., 2019)",
  options: {
    learningRate: setting(5e-4, "Learning rate. Higher learns faster until it diverges (1e-4 to 2e-3).", {
      within: "nonnegative",
    }),
    gamma: rows.discount(0.997),
    ...explorationRows,
    ...rows.targetNetwork,
    clipNorm: setting(10, "Maximum gradient norm. Lower is steadier and slower (0.5 to 40).", {
      within: "positive",
    }),
    adamEpsilon: size(
      1e-8,
      "Epsilon of Adam. Higher damps updates of weights with small gradients (1e-8 to 1e-3).",
      { within: "positive" },
    ),
    ...replayed,
    length: size(20, "Training steps of a window. More lets memory reach further back (10 to 80).", {
      within: "count",
    }),
    burnIn: size(
      10,
      "Burn-in steps before the training steps, where the episode has them. More relies less on stale memory states (0 to 40).",
      { within: "whole" },
    ),
    nStep: size(5, "Steps of an n-step return before bootstrapping (1 to 10).", { within: "count" }),
    rescale: size(
      true,
      "Learn values on a square-root scale, so that large values do not dominate small ones.",
    ),
    prioritised: size(
      true,
      "Prioritised experience replay: windows with large TD errors are sampled more often (Schaul et al., 2016).",
    ),
    alpha: setting(0.9, "Prioritised replay: exponent of the TD error; 0 samples uniformly (0.4 to 0.9).", {
      within: "nonnegative",
    }),
    beta: setting(
      signals.linear(0.6, 1),
      "Prioritised replay: exponent of the importance weights; 1 corrects the sampling bias fully (0.4 rising to 1).",
      { within: "share" },
    ),
    peak: setting(
      0.9,
      "Prioritised replay: weight of a window's maximum TD error in its priority, against the mean (0.5 to 1).",
      {
        within: "share",
      },
    ),
    dueling: size(
      true,
      "Dueling network: separate streams for state values and advantages (Wang et al., 2016).",
    ),
    memory: choice<"lstm" | "gru">("lstm", ["lstm", "gru"], "Type of memory."),
    units: size(64, "Memory state size. More remembers more and costs quadratically (32 to 512).", {
      within: "count",
    }),
    hidden: rows.hidden([64], "Widths of the layers before the memory."),
    ...rows.body,
  },
  actions: ["discrete"],
  parts(o, { spec, seed }, name): OffPolicyParts<WindowState> {
    const space = spec.action as Discrete;
    const network = recurrentQNetwork(bodyFor(spec.observation, o), { ...o, actions: space.n });
    return {
      ...o,
      name,
      policy: remembering(
        network,
        greedy({ space, values: shown, epsilon: o.epsilon, maxRepeat: o.maxRepeat }),
      ),
      learner: windowLearner({
        ...o,
        network,
        start: space.start,
        optimiser: nn.adam({ epsilon: o.adamEpsilon }),
      }),
      replay: replay({
        capacity: Math.max(1, Math.floor(o.capacity / o.length)),
        // The next window's burn-in is the previous one's training part: each step is trained on in one window.
        record: windows({ length: o.burnIn + o.length, overlap: o.burnIn, gamma: o.gamma }),
        choose: o.prioritised ? prioritisedSampler({ alpha: o.alpha, beta: o.beta, seed }) : undefined,
      }),
    };
  },
  begin: offPolicy,
});

/** The memory state and the random action under way. */
type Carried = { memory: Tree; held: Tree };

/** Values in place of an observation, as {@link remembering} passes them to the inner policy. */
const shown = (_: Tree, values: Tree) => values as Tensor;

/** A policy with memory whose inner policy chooses from its values. */
function remembering(
  network: RecurrentQNetwork,
  chooser: ActingPolicy,
): ActingPolicy<RecurrentQParams, Carried> {
  return {
    memory: true,
    init: network.init,
    start: (rows) => ({ memory: network.start(rows), held: chooser.start?.(rows) ?? {} }),
    act(weights, view, state, key) {
      const { values, state: memory } = network.step(weights, view.observation, state.memory, view.first);
      const { action, state: held } = chooser.act({}, { ...view, observation: values }, state.held, key);
      return { action, state: { memory, held } };
    },
  };
}
