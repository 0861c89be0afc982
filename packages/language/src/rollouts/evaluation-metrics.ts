import type { EvaluationResult, Verdict } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import type { Problem } from "../tasks/text-task.ts";
import { answerMeasures } from "./answer-measures.ts";

/** A generated answer. */
export interface GeneratedAnswer {
  readonly text: string;
  /** Number of tokens. */
  readonly tokens: number;
  /** Mean probability of a token under the model. */
  readonly confidence: number;
  /** Mean entropy of a token, in nats. */
  readonly entropy: number;
  /** Further counts by name. */
  readonly counts?: { readonly [name: string]: number };
}

/** Evaluation metrics of the answers to problems, the same number for each, grouped by problem. */
export function evaluationMetrics(
  problems: readonly Problem[],
  answers: readonly GeneratedAnswer[],
  verdicts: readonly Verdict[],
): EvaluationResult {
  const samples = answers.length / problems.length;
  const scores = verdicts.map((v) => Number(v.reward));
  const ofEach = <T>(values: readonly T[]) =>
    problems.map((_, i) => values.slice(i * samples, (i + 1) * samples));
  const returns = Float64Array.from(ofEach(scores), mean);
  const distinct = new Set(problems.map(({ key, prompt }) => key ?? prompt)).size;
  return {
    ...estimate(returns, scores.every((score) => score >= 0 && score <= 1) ? [0, 1] : undefined),
    returns,
    ...(distinct < problems.length ? { distinct } : {}),
    lengths: Float64Array.from(ofEach(answers.map((a) => a.tokens)), mean),
    answers: problems.map(({ prompt, answer: right }, i) => {
      const at = i * samples;
      const { terms } = verdicts[at];
      const first = { prompt, answer: answers[at].text, score: scores[at], right };
      return terms === undefined ? first : { ...first, terms };
    }),
    measures: {
      ...answerMeasures(
        ofEach(answers.map((a, i) => ({ ...a, text: verdicts[i].answer ?? a.text, right: scores[i] >= 1 }))),
      ),
      ...countsOf(answers, verdicts),
    },
  };
}

/** Means of counts and verdict terms; missing values count as 0. */
function countsOf(answers: readonly GeneratedAnswer[], verdicts: readonly Verdict[]) {
  const all = answers.map(({ counts }, i) => ({
    ...counts,
    ...Object.fromEntries(Object.entries(verdicts[i].terms ?? {}).map(([n, v]) => [`term/${n}`, v])),
  }));
  const names = [...new Set(all.flatMap((c) => Object.keys(c)))].sort();
  if (!names.length) return {};
  const counts = names.map((n) => [n, mean(all.map((c: Record<string, number>) => c[n] ?? 0))]);
  return { counts: Object.fromEntries(counts) as { [name: string]: number } };
}

/** The mean; 0 of an empty list, such as an answer without tokens. */
export const mean = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, v) => sum + v, 0) / values.length : 0;
