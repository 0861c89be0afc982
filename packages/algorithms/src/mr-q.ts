import { define, fail, setting, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { prioritisedSampler, replay, windows } from "@reins/core/replay";
import type { Tensor, Tree } from "@reins/tensor";
import { actionsFor, drawing } from "./mr-q/actions.ts";
import { modelLearner } from "./mr-q/learner.ts";
import { actorOn, modelFor, valuesOn } from "./mr-q/model.ts";
import * as rows from "./options.ts";
import { noisyPolicy } from "./q/deterministic.ts";

// Windows have a horizon instead of polyak-averaged targets.
const { tau: _, ...actorCritic } = rows.actorCritic({ learningRate: 3e-4, criticRate: 3e-4 });

const weight = (value: number, what: string, usual: string) =>
  setting(value, `Weight of the model's ${what} loss. Higher shapes the features more by it (${usual}).`, {
    within: "nonnegative",
  });

const options = {
  ...actorCritic,
  encoderRate: setting(1e-4, "Learning rate of the model. Higher learns features faster (1e-4 to 1e-3).", {
    within: "nonnegative",
  }),
  gamma: rows.discount(),
  noise: setting(
    0.2,
    "Exploration: standard deviation of the action noise, in units of half the action range. Higher explores more (0.05 to 0.5).",
    { within: "nonnegative" },
  ),
  smoothing: setting(
    0.2,
    "Target policy smoothing: standard deviation of the noise. Higher relies less on narrow peaks of the critics (0.1 to 0.3).",
    { within: "nonnegative" },
  ),
  smoothingLimit: setting(0.3, "Target policy smoothing: maximum noise (0.3 to 0.5).", {
    within: "nonnegative",
  }),
  targetEvery: size(
    250,
    "Updates between copies of all target networks, and of the encoder that the critics use. More is steadier and slower (100 to 1000).",
    { within: "count" },
  ),
  horizon: size(5, "Steps that the model is unrolled. More shapes features by a longer future (1 to 10).", {
    within: "count",
  }),
  dynamicsWeight: weight(1, "next-state", "0.1 to 1"),
  rewardWeight: weight(0.1, "reward", "0.1 to 1"),
  doneWeight: weight(0.1, "termination", "0.1 to 1"),
  bins: size(65, "Bins of the model's reward prediction. More is finer (21 to 129).", {
    within: "count",
  }),
  alpha: setting(
    0.4,
    "Prioritised replay: exponent of the TD error; errors below 1 count as 1 (0 is uniform; 0.2 to 0.6).",
    { within: "nonnegative" },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  nStep: size(
    3,
    "Steps of an n-step return before bootstrapping, up to the horizon. More carries rewards back faster (1 to 5).",
    { within: "count" },
  ),
  width: size(512, "Width of embeddings and hidden layers. Wider fits more and costs more (64 to 512).", {
    within: "count",
  }),
  actionWidth: size(256, "Width of the action embedding (32 to 256).", { within: "count" }),
  encoder: rows.body.encoder,
};

/**
 * MR.Q (Fujimoto et al., 2025): TD3 on features learned by predicting the future. This is a reduced version: the
 * model learns once per update and its features are copied every `targetEvery` updates, where the paper trains it
 * in one phase at that point; rewards are scaled by the minibatches of that period, not by the whole replay
 * buffer.
 */
export const mrQ = define({
  name: "mr-q",
  summary:
    "TD3 on features that predict the next state, the reward and termination: one configuration for many tasks.",
  paper: "Towards General-Purpose Model-Free Reinforcement Learning (Fujimoto et al., 2025)",
  options,
  actions: ["box", "discrete"],
  requires({ options: { horizon, nStep, bins } }, name) {
    if (Number(nStep) > Number(horizon))
      fail(
        name,
        `nStep is ${nStep}, but windows hold only ${horizon} steps (horizon). Raise horizon or lower nStep.`,
      );
    if (Number(bins) < 2) fail(name, `bins is ${bins}; use 2 or more.`);
  },
  parts(o, context, name) {
    const actions = actionsFor(name, context.spec);
    const model = modelFor(context.spec, o, { actions: actions.size, bins: o.bins });
    const actor = actorOn(o, actions.size);
    const init = (key: Tensor) => ({ held: model.init(key), actor: actor.init(key) });
    const raw = (weights: Tree, observation: Tree) => {
      const own = weights as { readonly held: Tree; readonly actor: Tree };
      return actor.apply(own.actor, model.state(own.held, observation, 1));
    };
    const aim = (weights: Tree, observation: Tree) => actions.soft(raw(weights, observation));
    return {
      ...o,
      name,
      policy:
        context.spec.action.kind === "box"
          ? noisyPolicy({ actions, init, aim }, o)
          : drawing(actions, init, raw, o.noise),
      learner: modelLearner(o, { actions, model, actor, values: valuesOn(o) }),
      replay: replay({
        capacity: o.capacity,
        // Every step begins a window.
        record: windows({ length: o.horizon, overlap: o.horizon - 1, tails: true, gamma: o.gamma }),
        choose: prioritisedSampler({ alpha: o.alpha, beta: 0, floor: 0, seed: context.seed }),
      }),
    };
  },
  begin: offPolicy,
});
