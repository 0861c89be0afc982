import type { Tensor, Tree } from "@reins/tensor";
import type { Moment, View } from "../moment.ts";
import type { Act, Scored } from "../policy.ts";
import type { Head } from "./head.ts";

/** What a network says about a state: the head's inputs, and the last hidden layer that made them. */
export interface Opinion {
  readonly outputs: Tensor;
  readonly features: Tensor;
}

/** An action from a head, with its likelihood, the noise to carry on, and the trace by which `scoreOf` recognises it. */
export function decide(
  head: Head,
  params: Tree,
  { outputs, features }: Opinion,
  view: View,
  noise: Tree,
  key: Tensor | undefined,
): Omit<Act, "value"> {
  const { mask } = view;
  if (head.carried) {
    const moment = { features, state: noise, first: view.first!, key };
    const { raw, state, given } = head.carried.draw(params, outputs, moment);
    const { logProb } = head.distribution(params, outputs, { mask, features, given });
    return { action: head.execute(raw), logProb: logProb(raw), state, trace: { raw, given } };
  }
  const d = head.distribution(params, outputs, { mask, features });
  const raw = key ? d.sample(key) : d.mode();
  return {
    action: head.execute(raw),
    logProb: d.logProb(raw),
    state: noise,
    ...(head.maps ? { trace: raw } : {}),
  };
}

/** Likelihood and entropy of an action that `decide` gave. */
export function scoreOf(
  head: Head,
  params: Tree,
  { outputs, features }: Opinion,
  { view, action, trace }: Moment,
): Omit<Scored, "value"> {
  const { raw, given } = head.carried
    ? (trace as { raw: Tree; given: Tree })
    : { raw: head.maps ? trace! : action, given: undefined };
  const d = head.distribution(params, outputs, { mask: view.mask, features, given });
  return { logProb: d.logProb(raw), entropy: d.entropy() };
}
