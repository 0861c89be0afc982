import type { EvaluationResult, YieldHook } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import type { Gpt } from "@reins/nn";
import { cast, compile, div, maximum, sum, type Tensor, type Tree, tensor, where } from "@reins/tensor";
import { type LanguageWeights, languagePolicy } from "../policy.ts";
import type { Problem } from "../tasks/text-task.ts";
import { exampleOf } from "./examples.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** Texts per batch. */
const rows = 8;

/** Tokens of a text, and whether each enters the loss. */
interface ImitatedText {
  readonly tokens: readonly number[];
  readonly imitated: readonly boolean[];
}

/**
 * Evaluates weights on texts without prompts: the mean log-probability of each text's tokens, so higher is better here
 * too. Texts count equally, whatever their length.
 */
export function likelihoodOf(
  options: TextStageOptions,
): (weights: Tree, problems: readonly Problem[], yieldHook?: YieldHook) => Promise<EvaluationResult> {
  const likelihood = textLikelihood(options.start.model);
  return (weights, problems, yieldHook) =>
    likelihood(
      weights,
      problems.map((problem) => exampleOf(options, problem)),
      yieldHook,
    );
}

/** Evaluates weights on texts: the mean log-probability of the tokens by a teacher. */
export function textLikelihood(model: Gpt): (
  weights: Tree,
  texts: readonly {
    readonly spans: readonly { readonly by: string; readonly tokens: readonly number[] }[];
  }[],
  yieldHook?: YieldHook,
) => Promise<EvaluationResult> {
  const policy = languagePolicy({ model });
  const scored = compile(
    (weights: LanguageWeights, observation: Tensor, action: Tensor, alive: Tensor) => {
      const { logProb } = policy.score(weights, { view: { observation }, action, alive });
      return div(sum(where(alive, logProb, 0), 0), maximum(sum(cast(alive, "f32"), 0), 1));
    },
    { name: "likelihood of texts", host: true },
  );
  return async (weights, examples, yieldHook) => {
    const texts = examples.map(
      ({ spans }): ImitatedText => ({
        tokens: spans.flatMap((p) => p.tokens),
        imitated: spans.flatMap((p) => p.tokens.map(() => p.by === "teacher")),
      }),
    );
    const returns = new Float64Array(texts.length);
    for (let at = 0; at < texts.length; at += rows) {
      const some = texts.slice(at, at + rows);
      const { observation, action, alive } = columnsOf(some);
      const found = scored(weights as LanguageWeights, observation, action, alive);
      some.forEach((_, i) => (returns[at + i] = found.data[i]));
      await yieldHook?.();
    }
    const lengths = Float64Array.from(texts, (t) => t.imitated.filter(Boolean).length);
    return { ...estimate(returns), returns, lengths, likelihood: true };
  };
}

/** Columns [time, rows]: each token, the next one, and whether it counts. */
function columnsOf(texts: readonly ImitatedText[]) {
  const longest = texts.reduce((most, t) => Math.max(most, t.tokens.length - 1), 1);
  // Round up to few shapes: each is compiled.
  const time = longest <= 64 ? 16 * Math.ceil(longest / 16) : 2 ** Math.ceil(Math.log2(longest));
  const shape = [time, rows];
  const [seen, next] = [new Int32Array(time * rows), new Int32Array(time * rows)];
  const counts = new Uint8Array(time * rows);
  texts.forEach(({ tokens, imitated }, row) => {
    for (let t = 0; t + 1 < tokens.length; t++) {
      const at = t * rows + row;
      seen[at] = tokens[t];
      next[at] = tokens[t + 1];
      counts[at] = imitated[t + 1] ? 1 : 0;
    }
  });
  return {
    observation: tensor(seen, { shape }),
    action: tensor(next, { shape }),
    alive: tensor(counts, { shape, dtype: "bool" }),
  };
}
