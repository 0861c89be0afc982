import { fail, type JudgedEpisode, type Stage } from "@reins/core";
import { makers } from "@reins/core/episodes";
import type { Tensor } from "@reins/tensor";
import { dpoLoss } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, smoothing } from "./options.ts";
import { pairTerm } from "./pairs.ts";

/** Tokens of a completion and their places in its episode. */
function completionOf({ episode }: JudgedEpisode): { tokens: number[]; places: number[] } {
  const by = (episode.columns.by as Tensor).data;
  const action = (episode.columns.action as Tensor).data;
  const places = Array.from(by, (_, i) => i).filter((i) => makers[by[i]] === "teacher");
  return { tokens: places.map((i) => action[i]), places };
}

/**
 * The tokens of a completion that enter the loss: its first step that differs from the other completion. Steps end with
 * a line break; where the completions never differ, none does.
 */
export function differingStep(
  own: readonly number[],
  other: readonly number[],
  endsStep: (token: number) => boolean,
): { readonly from: number; readonly to: number } {
  let first = 0;
  while (first < own.length && own[first] === other[first]) first++;
  let from = first;
  while (from > 0 && !endsStep(own[from - 1])) from--;
  let to = first;
  while (to < own.length && !endsStep(own[to])) to++;
  return first === own.length ? { from: first, to: first } : { from, to: Math.min(to + 1, own.length) };
}

/** The column `counted` of a batch of pairs: 1 for tokens that enter the loss. */
export function stepColumn(
  judged: readonly JudgedEpisode[],
  { decodeToken }: Pick<Stage, "decodeToken">,
): { readonly counted: Float32Array } {
  const decode = decodeToken ?? fail("step-dpo", "this stage cannot decode its tokens. Use a language task.");
  const endsStep = (token: number) => decode(token).includes("\n");
  const columns = judged.map((one, i) => {
    const own = completionOf(one);
    const other = completionOf(judged[i ^ 1]);
    const { from, to } = differingStep(own.tokens, other.tokens, endsStep);
    const counted = new Float32Array((one.episode.columns.by as Tensor).size);
    for (const place of own.places.slice(from, to)) counted[place] = 1;
    return counted;
  });
  const all = new Float32Array(columns.reduce((n, c) => n + c.length, 0));
  let at = 0;
  for (const c of columns) {
    all.set(c, at);
    at += c.length;
  }
  return { counted: all };
}

/** Step-wise DPO: completions are steps, one a line; the first that differs is compared, later ones follow from it. */
export const stepDpo = preferenceMethod({
  name: "step-dpo",
  summary: "DPO on the first step of reasoning that differs between two completions; steps are lines.",
  paper: "Step-DPO: Step-wise Preference Optimization for Long-chain Reasoning of LLMs (Lai et al., 2024)",
  options: { beta: beta(0.4), smoothing },
  // −log σ(β (log π(s⁺)/π₀(s⁺) − log π(s⁻)/π₀(s⁻))), with s the first differing step
  method: (o) => ({ loss: pairTerm(dpoLoss(o.beta, o.smoothing)), columns: stepColumn }),
});
