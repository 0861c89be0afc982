import type { Tensor, Tree } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { ActionResult, ActionScores } from "../policy.ts";
import type { PolicyInput, RecordedStep } from "../recorded-step.ts";
import type { ActionDistribution, Head } from "./head.ts";

/** A network's output for a state: the head's inputs, and the last hidden layer. */
export interface NetworkOutput {
  readonly outputs: Tensor;
  readonly features: Tensor;
}

/** What an action depends on besides the network's output. */
export interface ActingMoment {
  readonly view: PolicyInput;
  /** Noise carried over from the previous step, if the head has such noise. */
  readonly noise: Tree;
  /** Without a key the action is the mode. */
  readonly key: Tensor | undefined;
}

/** Samples an action from a head, with its likelihood, the noise to carry over, and the trace that `scoreOf` needs. */
export function decide(
  head: Head,
  params: Tree,
  { outputs, features }: NetworkOutput,
  { view, noise, key }: ActingMoment,
): Omit<ActionResult, "value"> {
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

/** Likelihood and entropy of an action from `decide`. */
export function scoreOf(
  head: Head,
  params: Tree,
  opinion: NetworkOutput,
  moment: RecordedStep,
): Omit<ActionScores, "value"> {
  const d = distributionFor(head, params, opinion, moment);
  const raw = head.carried ? noted(moment).raw : rawAction(head, moment);
  return { logProb: d.logProb(raw), entropy: d.entropy() };
}

/** The raw action of a step: recorded with it, or recovered from the executed one. */
function rawAction({ maps, recover }: Head, { trace, action }: RecordedStep): Tree {
  if (!maps) return action;
  return (
    trace ??
    recover?.(action) ??
    fail("policy", "the recorded actions have no `trace`, which this policy needs to score them.")
  );
}

/** The distribution of an action from `decide`, given these outputs. */
export function distributionFor(
  head: Head,
  params: Tree,
  { outputs, features }: NetworkOutput,
  moment: RecordedStep,
): ActionDistribution {
  const given = head.carried ? noted(moment).given : undefined;
  return head.distribution(params, outputs, { mask: moment.view.mask, features, given });
}

/** The trace of an action with carried noise. */
const noted = ({ trace }: RecordedStep) =>
  (trace ??
    fail(
      "policy",
      'the recorded actions have no `trace`, so their noise is unknown. Use noise: "independent".',
    )) as { raw: Tree; given: Tree };
