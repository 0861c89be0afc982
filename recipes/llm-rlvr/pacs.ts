import { grpo } from "@reins/algorithms";
import type { LossTerm } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import {
  abs,
  cast,
  div,
  exp,
  lt,
  matmul,
  maximum,
  mul,
  reshape,
  softplus,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { arm, sums } from "../testbeds/sums.ts";

/**
 * Cross-entropy between an answer's label (`right`) and its score ψ: its log-likelihood ratio to the behaviour policy,
 * minus the mean ratio of the others of its `group`. Without `critic` the predicted probability is fixed at one half.
 */
export const labelLoss = (critic: boolean): LossTerm =>
  losses.aggregated("text", {
    needs: { likelihood: "exact", for: "the score of an answer" },
    corrects: true,
    value({ scored, columns, report }) {
      const alive = where(columns.alive as Tensor, 1, 0);
      const rows = alive.shape[1];
      const length = maximum(sum(alive, { axis: 0 }), 1);
      const ofRow = (name: string) => div(sum(mul(columns[name] as Tensor, alive), { axis: 0 }), length);
      const difference = mul(sub(scored.logProb, columns.logProb as Tensor), alive);
      const own = sum(difference, { axis: 0 });
      const group = ofRow("group");
      const apart = abs(sub(reshape(group, [rows, 1]), reshape(group, [1, rows])));
      const same = cast(lt(apart, 0.5), "f32");
      const others = sub(reshape(matmul(same, reshape(own, [rows, 1])), [rows]), own);
      const score = sub(own, div(others, maximum(sub(sum(same, { axis: 1 }), 1), 1)));
      const right = ofRow("right");
      const loss = critic ? sub(softplus(score), mul(right, score)) : mul(sub(0.5, right), score);
      report("policy/entropy", scored.entropy);
      report("policy/kl", sub(sub(exp(difference), 1), difference));
      return mul(alive, reshape(mul(loss, ofRow("weight")), [1, rows]));
    },
  });

const pacs = (critic: boolean) =>
  grpo.with("pacs", {
    loss: labelLoss(critic),
    target(batch, _rewards, judged) {
      const right = judged.map((j) => Number(scoreOf(j) >= 1));
      // Right and wrong answers of a problem have the same weight in total.
      const weight = judged.map(() => 1);
      for (const group of groupEpisodes(judged.map((j, i) => ({ ...j, i })))) {
        const solved = group.filter((j) => right[j.i]).length;
        if (solved > 0 && solved < group.length)
          for (const { i } of group)
            weight[i] = group.length / (2 * (right[i] ? solved : group.length - solved));
      }
      const group = targets.groupsOf(batch).map((g) => g + 1);
      const spread = (values: readonly number[]) => targets.spread(values, batch);
      return { right: spread(right), weight: spread(weight), group: spread(group) };
    },
  });

export default sums.recipe({
  id: "pacs",
  paper: "Implicit Actor Critic Coupling via a Supervised Learning Framework for RLVR",
  source: {
    paper: "arXiv:2509.02522",
    code: "ritzz-ai/PACS",
    equations: "compute_pacs_loss in pacs_core_algos.py, with the settings of pacs_beta_1.0.sh",
  },
  about:
    "The outcome of an answer is a label that the policy itself has to predict: the score of an answer is its log-likelihood ratio to the policy that wrote it, relative to the others of its group, and the loss is the cross-entropy. Its gradient is a policy gradient whose advantage shrinks as the score comes to agree with the label, so actor and critic share their weights. Claimed: higher accuracy and pass@K than PPO and GRPO.",
  system: arm("PACS", pacs(true)),
  ablation: arm("PACS without the critic", pacs(false)),
  presupposes: "nothing",
  claims: [{ metric: "area", paper: "13 points of pass@256 over PPO, 14 over GRPO" }],
  deviations: [
    "Accuracy of single answers is measured; the paper's largest differences are in pass@K.",
    "β is 1. A batch is used whole in every epoch, not in four minibatches.",
  ],
  finding: (f) =>
    `Against the best baseline PACS changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("PACS", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, dynamic sampling ${f.mean("dynamic sampling", "accuracy")}, without the critic ${f.mean("PACS without the critic", "accuracy")}), final token entropy ${f.mean("PACS", "entropy")} nats (GRPO ${f.mean("GRPO", "entropy")}).`,
});
