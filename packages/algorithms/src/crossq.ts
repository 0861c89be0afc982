import { define, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { squashedActor } from "./sac/actors.ts";
import { jointCritics } from "./sac/joint-critics.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";
import { actorObjective, criticTarget } from "./sac.ts";

// Without target networks there is no tau.
const { tau: _, ...shared } = softRows({ learningRate: 1e-3, criticRate: 1e-3, policyEvery: 3 });

const options = {
  ...shared,
  hidden: rows.hidden([256, 256], "Widths of the actor's hidden layers."),
  criticHidden: rows.hidden(
    [1024, 1024],
    "Widths of the critics' hidden layers: wide critics learn fast here.",
  ),
  momentum: size(
    0.99,
    "Momentum of the critics' running statistics. Higher follows more slowly and steadily (0.9 to 0.999).",
    { within: "share" },
  ),
  renormAfter: size(
    100_000,
    "Updates after which batches are normalised towards the running statistics (batch renormalisation). Fewer relies on them sooner.",
    { within: "whole" },
  ),
  ...rows.bodyOptions({ criticHidden: [] }),
};

/**
 * CrossQ (Bhatt et al., 2024): batch norms in wide critics that see both states of a transition in one batch, and
 * no target networks. The paper's critics are 2048 wide, and its actor has batch norms too; here it has none.
 */
export const crossq = define({
  name: "crossq",
  summary:
    "SAC without target networks: batch norms keep wide critics stable, and one update per step learns fast.",
  paper:
    "CrossQ: Batch Normalization in Deep Reinforcement Learning for Greater Sample Efficiency and Simplicity (Bhatt et al., 2024)",
  options,
  actions: ["box"],
  parts(o, context, name) {
    const actor = squashedActor(name, context.spec, o);
    // Lower momentum of gradients: without a target network the TD target moves with every update.
    const optimiser = nn.adam({ beta1: 0.5 });
    const criticSet = jointCritics(context.spec, {
      ...o,
      criticTarget,
      hidden: o.criticHidden,
      optimiser,
      actions: actor.size,
    });
    return softParts(name, o, context, { actor, criticSet, actorObjective, optimiser });
  },
  begin: offPolicy,
});
