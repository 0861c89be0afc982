import { define, fail, type LossTerm, type Started } from "@reins/core";
import {
  abs,
  cast,
  div,
  expandDims,
  gt,
  logSigmoid,
  maximum,
  mean,
  mul,
  neg,
  sum,
  type Tensor,
} from "@reins/tensor";
import { asTokenMean } from "../preference/completions.ts";
import { beginPreference, type PreferenceParts, preferenceParts } from "../preference/parts.ts";
import { rewardLearning, withValidation } from "./reward.ts";

/** −log σ(r) at the end of a right step, −log σ(−r) at that of a wrong one: the mean over the steps of the batch and the heads. */
export const stepTerm = (): LossTerm => ({
  needs: { likelihood: "bound", for: "a reward model" },
  corrects: true,
  value(input) {
    const { reward } = input.scored.extra ?? {};
    const label = input.columns.label as Tensor | undefined;
    if (!reward || !label)
      return fail(
        "process-reward",
        "the batch has no labelled steps. Use lines with prompt, completions and labels.",
      );
    const labelled = abs(label);
    const count = maximum(sum(labelled), 1);
    // Above 0 where a step is on its side of the bound.
    const margin = mul(reward, expandDims(label, -1));
    const ofSteps = (x: Tensor) => div(sum(mul(x, labelled)), count);
    const loss = ofSteps(mean(neg(logSigmoid(margin)), -1));
    const average = mean(margin, -1);
    const report = (name: string, x: Tensor) => input.report(name, asTokenMean(x, input));
    report("loss/preference", loss);
    report("preference/accuracy", ofSteps(cast(gt(average, 0), "f32")));
    report("preference/margin", ofSteps(average));
    return asTokenMean(loss, input);
  },
});

/** Trains a process reward model: one that scores every step of a completion. */
export const processReward = define({
  name: "process-reward",
  summary:
    "Trains a process reward model: it scores the end of every step of a completion, above 0 where the step is right.",
  paper: "Let's Verify Step by Step (Lightman et al., 2023)",
  stability: "experimental",
  options: rewardLearning,
  learnsFrom: "comparisons",
  trains: "reward",
  // −log σ(±r) of each labelled step
  parts: (o, context, name): PreferenceParts =>
    preferenceParts(name, o, context, {
      loss: stepTerm(),
      reference: false,
      wholeBatch: true,
      steps: true,
      selection: { select: (judged) => judged },
    }),
  begin: (parts, context, o): Started => withValidation(beginPreference(parts, context), o, context),
});
