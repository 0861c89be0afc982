import { offPolicy } from "@reins/core/loops";
import * as nn from "@reins/nn";
import { dqn, dqnParts } from "./dqn.ts";
import { prunedEnsemble } from "./q/distillation.ts";

/**
 * Eau De Q-Network (Vincent et al., 2025): three networks, two of which lose up to a fifth of their weights at
 * each update of the target network (Algorithm 1).
 */
export const eauDeQn = dqn.with("eaudeqn", {
  options: { tau: 0 },
  parts: (_, o, context) => dqnParts(o, context, "eaudeqn", { optimiser: nn.keepZeros }),
  begin: (parts, context, o) => {
    const several = { members: 3, every: o.targetEvery, stride: 0.2 };
    return offPolicy({ ...parts, learner: prunedEnsemble(parts.learner, several) }, context);
  },
});
