import { fail } from "@reins/core";
import { exampleOf, type Problem, promptOf, type TextStageOptions } from "@reins/language";

/** Default maximum tokens of an answer if reference answers are short: room for reasoning. */
const usual = 256;

/**
 * Maximum tokens of an answer to listed problems: the option, or what suits their answers, within the model's context.
 * Refuses problems that are too long for the model, before training.
 */
export function listedLimit(stage: TextStageOptions, wished: number | undefined): number {
  const { family, start, tokenizer } = stage;
  const { context } = start.options;
  const { train = [], test = [] } = family.listed ?? {};
  const all = [...new Set([...train, ...test])];
  const prompts = lengths(
    all,
    (p) => p.prompt,
    (p) => promptOf(stage, p).prompt.length,
  );
  const answers = lengths(
    all,
    (p) => p.answer,
    (p) => tokenizer.encode(p.answer).length + 1,
  );
  const texts = lengths(
    all,
    (p) => p.prompt + p.answer,
    (p) => exampleOf(stage, p).passages.reduce((sum, { tokens }) => sum + tokens.length, 0),
  );
  if (texts > context)
    fail(
      `task ${family.id}`,
      `its longest problem takes ${texts} tokens with its answer; the model's context is ${context}. Remove such problems, or use a model with a longer context.`,
    );
  return Math.min(wished ?? Math.max(usual, answers), context - prompts);
}

/** Maximum tokens of the texts. Counts only the longest texts: others can hardly have more. */
function lengths(
  all: readonly Problem[],
  text: (p: Problem) => string,
  tokens: (p: Problem) => number,
): number {
  const longest = [...all].sort((a, b) => text(b).length - text(a).length).slice(0, 64);
  return longest.reduce((most, p) => Math.max(most, tokens(p)), 0);
}

/** Answer tokens of all training problems: one epoch of imitation. */
export const taughtTokens = (stage: TextStageOptions): number =>
  (stage.family.listed?.train ?? []).reduce(
    (sum, p) =>
      sum +
      exampleOf(stage, p).passages.reduce(
        (n, { by, tokens }) => n + (by === "teacher" ? tokens.length : 0),
        0,
      ),
    0,
  );
