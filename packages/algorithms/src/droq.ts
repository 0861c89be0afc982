import { define, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import * as nn from "@reins/nn";
import { mean, type Tree } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticEnsemble, lowest, squaredError } from "./q/critics.ts";
import { squashedActor } from "./sac/actors.ts";
import { type Aggregation, targetCritics } from "./sac/critics.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";
import { actorObjective, criticTarget } from "./sac.ts";

const options = {
  ...softRows({ updates: 20, policyEvery: 20 }),
  critics: size(
    2,
    "Number of critics; the lowest estimate makes the TD target. More is less optimistic (2 to 4).",
    {
      within: "count",
    },
  ),
  dropout: size(0.01, "Dropout rate of the critics. More regularises more (0.005 to 0.1).", {
    within: "share",
  }),
  ...rows.body,
};

/**
 * Dropout Q-functions (Hiraoka et al., 2022): a few critics with dropout and layer norms match REDQ's large
 * ensemble.
 */
export const droq = define({
  name: "droq",
  summary:
    "SAC with dropout and layer norms in its critics and twenty updates per step: sample-efficient, at less cost than REDQ.",
  paper: "Dropout Q-Functions for Doubly Efficient Reinforcement Learning (Hiraoka et al., 2022)",
  options,
  actions: ["box"],
  parts(o, context, name) {
    const actor = squashedActor(name, context.spec, o);
    const make = { members: o.critics, layers: droppingLayers(o.dropout), random: true };
    const critics = criticEnsemble(context.spec, o, { actions: actor.size }, make);
    // Dropout stays on for the TD target and the actor objective: each pass is another member of a large ensemble.
    const criticSet = targetCritics({ ...o, critics, criticTarget, aggregation, alwaysRandom: true });
    return softParts(name, o, context, { actor, criticSet, actorObjective });
  },
  begin: offPolicy,
});

const aggregation: Aggregation = {
  next: lowest,
  actorObjective: (values) => mean(values, 0),
  error: squaredError,
};

/** After each hidden layer: dropout, layer norm, relu. */
export const droppingLayers =
  (rate: number) =>
  (widths: readonly number[]): nn.Layer<Tree> => {
    const hidden = widths
      .slice(1, -1)
      .flatMap((outputs, i) => [
        nn.linear({ inputs: widths[i], outputs }),
        nn.dropout(rate),
        nn.layerNorm(outputs),
        "relu" as const,
      ]);
    const [inputs, outputs] = widths.slice(-2);
    return nn.sequential(...hidden, nn.linear({ inputs, outputs })) as nn.Layer<Tree>;
  };
