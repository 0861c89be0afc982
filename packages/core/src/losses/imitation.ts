import { add, mul, neg, sub, type Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { LossTerm } from "../loss.ts";

/** Behaviour cloning: raises the log-probability of the recorded actions. */
export function behaviourCloning(): LossTerm {
  return {
    needs: { likelihood: "bound", for: "behaviour cloning" },
    value({ scored, report }) {
      const loss = neg(scored.logProb);
      report("loss/cloning", loss);
      return loss;
    },
  };
}

/** Distillation: the divergence from a teacher's action distribution, which comes with the policy's scores (`Stage.distillation`). */
export function distillation(): LossTerm {
  return {
    needs: { likelihood: "exact", for: "distillation" },
    value({ scored, report }) {
      const divergence =
        scored.extra?.teacher ??
        fail(
          "distillation",
          "the policy's scores have no divergence from a teacher. Use the policy of stage.distillation().",
        );
      report("policy/entropy", scored.entropy);
      report("loss/distillation", divergence);
      return divergence;
    },
  };
}

/** Estimator of the KL divergence from a reference policy, given its log-probabilities (column `reference`). */
export type KlEstimator = "k1" | "k2" | "k3";

/**
 * KL divergence of the policy from a reference (Schulman's three estimators). The reference's log-probabilities are the column `reference`,
 * or come with the policy's scores (`withReference`).
 */
export function referenceKl(estimator: KlEstimator = "k3"): LossTerm {
  return {
    needs: { likelihood: "exact", for: "the KL divergence from a reference" },
    value({ scored, columns, report }) {
      const d = sub(scored.extra?.reference ?? (columns.reference as Tensor), scored.logProb);
      const kl =
        estimator === "k1" ? neg(d) : estimator === "k2" ? mul(mul(d, d), 0.5) : sub(d.exp(), add(d, 1));
      report("policy/reference-kl", kl);
      return kl;
    },
  };
}
