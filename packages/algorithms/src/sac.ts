import { define, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { add, mul, neg } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticEnsemble } from "./q/critics.ts";
import { categoricalActor, squashedActor } from "./sac/actors.ts";
import { type CriticTarget, targetCritics } from "./sac/critics.ts";
import { type ActorObjective, softParts } from "./sac/learner.ts";
import { targetShare, temperatureRows } from "./sac/temperature.ts";

/** Critic target: y = r + γ (1 − d) (min Q'(s', a') − α log π(a'|s')), where `discount` is γ (1 − d). */
export const criticTarget: CriticTarget = ({ reward, discount }, nextActions, q) =>
  add(reward, mul(discount, nextActions.softValue(q)));

/** Actor objective, minimised: α log π(a|s) − min Q(s, a). */
export const actorObjective: ActorObjective = (actions, q) => neg(actions.softValue(q));

const options = {
  ...rows.actorCritic({ learningRate: 3e-4 }),
  gamma: rows.discount(),
  ...temperatureRows(),
  targetShare,
  policyEvery: size(
    1,
    "Critic updates before an equal number of actor updates. More lets the critics settle first (1 to 4).",
    { within: "count" },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  ...rows.hindsight,
  ...rows.augment,
  hidden: rows.hidden([256, 256], "Widths of the hidden layers of actor and critics."),
  ...rows.body,
};

/**
 * Soft actor-critic (Haarnoja et al., 2018) with automatic temperature; for discrete actions as in Christodoulou
 * (2019).
 */
export const sac = define({
  name: "sac",
  summary:
    "Maximises reward and entropy together, off-policy: sample-efficient and robust, the first choice for continuous actions.",
  paper: "Soft Actor-Critic Algorithms and Applications (Haarnoja et al., 2018)",
  options,
  actions: ["box", "discrete"],
  parts(o, context, name) {
    const { spec } = context;
    const choices = spec.action.kind === "discrete" ? spec.action.n : undefined;
    const actor = choices ? categoricalActor(spec, o) : squashedActor(name, spec, o);
    const critics = criticEnsemble(spec, o, choices ? { choices } : { actions: actor.size });
    const criticSet = targetCritics({ ...o, critics, criticTarget });
    return softParts(name, o, context, { actor, criticSet, actorObjective, catchUp: true });
  },
  begin: offPolicy,
});
