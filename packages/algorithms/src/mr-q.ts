import { byPriority, define, fail, offPolicy, replay, setting, size, windows } from "@reins/core";
import type { Tensor, Tree } from "@reins/tensor";
import { actionsFor, drawing } from "./mr-q/actions.ts";
import { modelLearner } from "./mr-q/learner.ts";
import { actorOn, modelFor, valuesOn } from "./mr-q/model.ts";
import * as rows from "./options.ts";
import { noisyPolicy } from "./q/deterministic.ts";

// Windows have a horizon in the place of targets that follow slowly.
const { tau: _, ...climbing } = rows.climbing({ learningRate: 3e-4, criticRate: 3e-4 });

const weight = (value: number, what: string, usual: string) =>
  setting(
    value,
    `How much the model's error in ${what} counts. More shapes features by it more (${usual}).`,
    {
      within: "nonnegative",
    },
  );

const options = {
  ...climbing,
  encoderRate: setting(1e-4, "Size of the model's steps. Higher learns features faster (1e-4 to 1e-3).", {
    within: "nonnegative",
  }),
  gamma: rows.discount(),
  noise: setting(
    0.2,
    "Exploration: spread of the noise on actions, in units of half their range. Higher explores more (0.05 to 0.5).",
    { within: "nonnegative" },
  ),
  smoothing: setting(
    0.2,
    "Spread of the noise on the target's actions. Higher trusts narrow peaks of the critics less (0.1 to 0.3).",
    { within: "nonnegative" },
  ),
  smoothingLimit: setting(0.3, "Largest such noise (0.3 to 0.5).", { within: "nonnegative" }),
  targetEvery: size(
    250,
    "Updates between moves of all target networks, and of the features that values are made of. More is steadier and slower (100 to 1000).",
    { within: "count" },
  ),
  horizon: size(5, "Steps that the model looks ahead. More shapes features by a longer future (1 to 10).", {
    within: "count",
  }),
  dynamicsWeight: weight(1, "the next state", "0.1 to 1"),
  rewardWeight: weight(0.1, "rewards", "0.1 to 1"),
  doneWeight: weight(0.1, "ends of episodes", "0.1 to 1"),
  bins: size(65, "Bins of the rewards that the model forecasts. More is finer (21 to 129).", {
    within: "count",
  }),
  alpha: setting(
    0.4,
    "How much errors count in what is learned from; those below 1 all count as 1 (0 is uniform; 0.2 to 0.6).",
    { within: "nonnegative" },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  nStep: size(
    3,
    "Steps of rewards before the estimate takes over, up to the horizon. More carries rewards back faster (1 to 5).",
    { within: "count" },
  ),
  width: size(512, "Width of embeddings and hidden layers. Wider fits more and costs more (64 to 512).", {
    within: "count",
  }),
  actionWidth: size(256, "Width of the embedding of actions (32 to 256).", { within: "count" }),
  encoder: rows.body.encoder,
};

/**
 * MR.Q (Fujimoto et al., 2025): TD3 on features from which a model forecasts what follows. It is reduced: the model learns once an update
 * and its features are handed over every `targetEvery` updates, where the paper trains it in one go then; rewards are scaled by what
 * minibatches of that time held, and not by all of the replay.
 */
export const mrQ = define({
  name: "mr-q",
  summary:
    "TD3 on features that forecast the next state, the reward and the end of the episode: one setting for many tasks.",
  paper: "Towards General-Purpose Model-Free Reinforcement Learning (Fujimoto et al., 2025)",
  options,
  actions: ["box", "discrete"],
  requires({ options: { horizon, nStep, bins } }, name) {
    if (Number(nStep) > Number(horizon))
      fail(name, `nStep is ${nStep} and the horizon is ${horizon}: windows hold no more steps than that.`);
    if (Number(bins) < 2) fail(name, `bins is ${bins}; rewards lie between two of them.`);
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
        choose: byPriority({ alpha: o.alpha, beta: 0, floor: 0, seed: context.seed }),
      }),
    };
  },
  begin: offPolicy,
});
