import { estimate, type Stage } from "@reins/core";
import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import type { Sampling } from "./generation/sampling.ts";
import type { LanguageModel } from "./models/folder.ts";
import { Answers, generatorFor } from "./play/answers.ts";
import { Examples } from "./play/examples.ts";
import { verifier } from "./play/verifier.ts";
import { languagePolicy } from "./policy.ts";
import { draw, type Split } from "./tasks/draw.ts";
import type { Family } from "./tasks/family.ts";
import type { Tokenizer } from "./tokenizers/tokenizer.ts";

/** Settings of {@link textStage}. */
export interface TextStageOptions {
  readonly family: Family;
  readonly level: number;
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** How a problem is put to the model; its prompt as it stands by default. With a chat template, as a turn of a conversation. */
  readonly ask?: (prompt: string) => readonly number[];
  readonly sampling?: Sampling;
  /** Most tokens of an answer (default: the family's longest, and the end). */
  readonly limit?: number;
  /** Texts that are written at the same time (default 64). */
  readonly rows?: number;
  readonly split?: Split;
}

/** Problems in words, a language model that answers them, a teacher that knows the answers, and the family's verifier as judge. */
export function textStage(options: TextStageOptions): Stage {
  const { start, sampling, family, limit = family.longest.answer + 1 } = options;
  const policy = { ...start, temperature: sampling?.temperature };
  const { width } = start.options;
  return {
    policy: languagePolicy(policy) as unknown as Stage["policy"],
    critic: languagePolicy({ ...policy, critic: width }) as unknown as Stage["policy"],
    levels: Array.from({ length: family.levels }, (_, i) => i + 1),
    limit,
    play: (playing) => new Answers(options, playing),
    show: (playing) => new Examples(options, playing),
    judge: verifier(family),
    async evaluate(weights, { episodes = 100, seed = 0, greedy = true } = {}) {
      const { level } = options;
      const problems = Array.from({ length: episodes }, (_, i) => draw(family, level, "test", i, seed));
      const answers = answerAll(options, weights, problems, greedy, seed);
      const verdicts = await Promise.all(problems.map((p, i) => family.verify(p, answers[i].text)));
      const returns = Float64Array.from(verdicts, (v) => (Number.isFinite(v.score) ? v.score : 0));
      return { ...estimate(returns), returns, lengths: Float64Array.from(answers, (a) => a.tokens) };
    },
    answer: (weights, prompt) => answerAll(options, weights, [{ prompt: String(prompt) }], true, 0)[0].text,
  };
}

/** What these weights answer to each prompt. */
function answerAll(
  options: TextStageOptions,
  weights: Tree,
  problems: readonly { readonly prompt: string }[],
  greedy: boolean,
  seed: number,
): { text: string; tokens: number }[] {
  const { tokenizer, ask = tokenizer.encode, family, limit = family.longest.answer + 1 } = options;
  return generatorFor(options, weights as unknown as GptParams, { greedy })
    .generate(problems.map(({ prompt }, i) => ({ prompt: ask(prompt), limit, seed: seed + i })))
    .map(({ tokens }) => ({ text: tokenizer.decode(tokens), tokens: tokens.length }));
}
