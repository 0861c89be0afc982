import { define, fail } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { bodyFor } from "@reins/core/policies";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { criticEnsemble } from "./q/critics.ts";
import { withNormalisedObservations } from "./q/observation-normalisation.ts";
import { residualLayers } from "./q/residual.ts";
import { squashedActor } from "./sac/actors.ts";
import { targetCritics } from "./sac/critics.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";
import { actorObjective, criticTarget } from "./sac.ts";

const options = {
  ...softRows({
    learningRate: 1e-4,
    criticRate: 1e-4,
    updates: 2,
    temperature: { temperature: 0.01, rate: 1e-4, entropy: -0.5 },
  }),
  hidden: rows.hidden([128], "Widths of the actor's residual blocks, one per block."),
  criticHidden: rows.hidden(
    [512, 512],
    "Widths of the critics' residual blocks, one per block. Wider and deeper still helps here.",
  ),
  ...rows.bodyOptions({ criticHidden: [] }),
};

/**
 * SimBa (Lee et al., 2024): SAC with normalised observations, residual blocks and weight decay, so that large
 * networks help. Running statistics come from the minibatches, not from each environment step; the lower of two
 * critics is always used.
 *
 * @experimental
 */
export const simbaSac = define({
  name: "simba-sac",
  stability: "experimental",
  summary:
    "SAC with normalised observations and residual blocks with layer norms: scales to larger networks and needs less tuning.",
  paper: "SimBa: Simplicity Bias for Scaling Up Parameters in Deep Reinforcement Learning (Lee et al., 2024)",
  options,
  actions: ["box"],
  requires({ spec }, name) {
    if (bodyFor(spec.observation).init)
      fail(name, `${name} normalises numeric observations; ${spec.id} has images or text. Use sac instead.`);
  },
  parts: (o, context, name) =>
    withNormalisedObservations(context.spec, (spec) => {
      const optimiser = nn.adamW({ weightDecay: 1e-2 });
      const actor = squashedActor(name, spec, o, residualLayers);
      const wide = { ...o, hidden: o.criticHidden };
      const critics = criticEnsemble(spec, wide, { actions: actor.size }, { layers: residualLayers });
      const criticSet = targetCritics({ ...o, critics, criticTarget, optimiser });
      return softParts(name, o, context, { actor, criticSet, actorObjective, optimiser });
    }),
  begin: offPolicy,
});
