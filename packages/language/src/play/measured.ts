import { answerMeasures, type Evaluated, estimate, type Verdict } from "@reins/core";
import type { Problem } from "../tasks/family.ts";

/** An answer that was written. */
export interface Written {
  readonly text: string;
  /** How many it has. */
  readonly tokens: number;
  /** Mean probability of a token, by the model itself. */
  readonly confidence: number;
  /** Mean entropy of a token, in nats. */
  readonly entropy: number;
  /** What else is counted of it, by name. */
  readonly counts?: { readonly [name: string]: number };
}

/** What the answers to problems come to, as many of each, one problem's after the other's. */
export function measured(
  problems: readonly Problem[],
  answers: readonly Written[],
  verdicts: readonly Verdict[],
): Evaluated {
  const samples = answers.length / problems.length;
  const scores = verdicts.map((v) => Number(v.reward));
  const ofEach = <T>(values: readonly T[]) =>
    problems.map((_, i) => values.slice(i * samples, (i + 1) * samples));
  const returns = Float64Array.from(ofEach(scores), mean);
  return {
    ...estimate(returns, scores.every((score) => score >= 0 && score <= 1) ? [0, 1] : undefined),
    returns,
    lengths: Float64Array.from(ofEach(answers.map((a) => a.tokens)), mean),
    answers: problems.map(({ prompt, answer: right }, i) => {
      const at = i * samples;
      const { terms } = verdicts[at];
      const first = { prompt, answer: answers[at].text, score: scores[at], right };
      return terms === undefined ? first : { ...first, terms };
    }),
    measures: {
      ...answerMeasures(ofEach(answers.map((a, i) => ({ ...a, right: scores[i] >= 1 })))),
      ...countsOf(answers, verdicts),
    },
  };
}

/** Means of what is counted, terms of the verdicts among it; what is said of some alone is 0 for the others. */
function countsOf(answers: readonly Written[], verdicts: readonly Verdict[]) {
  const all = answers.map(({ counts }, i) => ({
    ...counts,
    ...Object.fromEntries(Object.entries(verdicts[i].terms ?? {}).map(([n, v]) => [`term/${n}`, v])),
  }));
  const names = [...new Set(all.flatMap((c) => Object.keys(c)))].sort();
  if (!names.length) return {};
  const counts = names.map((n) => [n, mean(all.map((c: Record<string, number>) => c[n] ?? 0))]);
  return { counts: Object.fromEntries(counts) as { [name: string]: number } };
}

/** The mean; 0 of nothing, such as an answer without a token. */
export const mean = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, v) => sum + v, 0) / values.length : 0;
