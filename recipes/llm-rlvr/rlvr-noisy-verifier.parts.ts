import type { Judge, Task } from "@reins/core";
import { callJudge, totalOf } from "@reins/core/judges";
import { defaultRng, stream } from "@reins/core/random";
import { verifier } from "@reins/language";
import type { PromptSet } from "@reins/recipes/language";
import { sumsTask } from "../testbeds/sums.ts";

/** Error rates of a verifier. */
export interface Channel {
  /** Share of wrong answers that are accepted. */
  readonly falsePositive: number;
  /** Share of correct answers that are rejected. */
  readonly falseNegative: number;
}

/** The observed outcome of an answer, given a uniform random number. */
export const observed = (
  right: boolean,
  { falsePositive, falseNegative }: Channel,
  uniform: number,
): boolean => (right ? uniform >= falseNegative : uniform < falsePositive);

/** The forward correction: weights of observed outcomes whose expectation is 0 for a correct answer and negative for a wrong one. */
export const forward = (accepted: boolean, { falseNegative }: Channel): number =>
  accepted ? falseNegative : falseNegative - 1;

/** The uncorrected reward. */
export const plain = (accepted: boolean): number => Number(accepted);

/** A judge that errs at the rates of a channel. The task score remains the true one. */
export function noisy(inner: Judge, channel: Channel, reward: typeof forward, uniform: () => number): Judge {
  return async (episodes, context) => {
    const verdicts = await callJudge(inner, episodes, context);
    return verdicts.map((v) => {
      const accepted = observed(totalOf(v) >= 1, channel, uniform());
      return { ...v, score: totalOf(v), reward: reward(accepted, channel) };
    });
  };
}

/** A noisy verifier of the testbed's answers, with random numbers of its own in each run. */
export const noisyVerifier =
  (channel: Channel, reward: typeof forward) =>
  ({ all = [] }: Task & Partial<PromptSet>): { judge: Judge } => {
    const random = defaultRng(stream(all[0]?.seed ?? 0, "channel"));
    return { judge: noisy(verifier(sumsTask), channel, reward, () => random.random()) };
  };
