import type { AnswerMeasures } from "@reins/core";

/** One of several sampled answers to a problem. */
export interface SampledAnswer {
  /** The answer, or the final answer that a judge found in it: equal ones are votes for one answer. */
  readonly text: string;
  readonly right: boolean;
  /** Confidence of the answer, from 0 to 1: for a language model the mean probability of its tokens. */
  readonly confidence: number;
  /** Mean token entropy, in nats. */
  readonly entropy: number;
}

/**
 * Unbiased pass@k (Chen et al., 2021): the probability that at least one of k answers is correct, taken from n of which c are correct,
 * 1 - C(n - c, k) / C(n, k).
 */
export function passAt(k: number, n: number, c: number): number {
  let none = 1;
  for (let i = 0; i < k; i++) none *= Math.max(0, n - c - i) / (n - i);
  return 1 - none;
}

/** Whether the most common answer is correct; ties are broken uniformly, so the result is the expected value. */
export function majorityRight(answers: readonly Pick<SampledAnswer, "text" | "right">[]): number {
  const votes = new Map<string, { count: number; right: number }>();
  for (const { text, right } of answers) {
    const vote = votes.get(text) ?? { count: 0, right: 0 };
    votes.set(text, { count: vote.count + 1, right: vote.right + Number(right) });
  }
  const most = Math.max(...[...votes.values()].map((v) => v.count));
  const winners = [...votes.values()].filter((v) => v.count === most);
  return winners.reduce((sum, { right, count }) => sum + right / count, 0) / winners.length;
}

/** Expected calibration error (Naeini et al., 2015): the gap between mean confidence and accuracy, over ten bins of confidence. */
export function calibrationError(
  answers: readonly Pick<SampledAnswer, "confidence" | "right">[],
  bins = 10,
): number {
  const gaps = new Float64Array(bins);
  for (const { confidence, right } of answers)
    gaps[Math.min(bins - 1, Math.floor(confidence * bins))] += confidence - Number(right);
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / answers.length;
}

/** Measures the answers to each problem, with an equal number of answers per problem. */
export function answerMeasures(problems: readonly (readonly SampledAnswer[])[]): AnswerMeasures {
  const samples = problems[0]?.length ?? 0;
  const mean = (of: (answers: readonly SampledAnswer[]) => number) =>
    problems.reduce((sum, answers) => sum + of(answers), 0) / problems.length;
  const right = (answers: readonly SampledAnswer[]) => answers.filter((a) => a.right).length;
  return {
    samples,
    pass: Array.from({ length: samples }, (_, i) => mean((all) => passAt(i + 1, samples, right(all)))),
    majority: mean(majorityRight),
    calibration: calibrationError(problems.flat()),
    entropy: mean((all) => all.reduce((sum, a) => sum + a.entropy, 0) / samples),
  };
}
