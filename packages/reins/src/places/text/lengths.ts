import { fail } from "@reins/core";
import { exampleOf, type Problem, promptOf, type TextStageOptions } from "@reins/language";

/** Default maximum tokens of an answer if reference answers are short: room for reasoning. */
const usual = 256;

/** A stage whose prompts are encoded by the tokenizer of a pretrained model. */
type PretrainedStage = TextStageOptions & Required<Pick<TextStageOptions, "encodePrompt">>;

/**
 * Maximum tokens of an answer of a pretrained model: the option `maxTokens`, or what suits the task's answers, within
 * the model's context. Refuses problems that are too long for the model, before training.
 */
export const pretrainedLimit = (
  stage: PretrainedStage,
  maxTokens: number | undefined,
  folder: string,
): number =>
  stage.task.listed ? listedLimit(stage, maxTokens) : (maxTokens ?? generatedLimit(stage, folder));

function listedLimit(stage: TextStageOptions, maxTokens: number | undefined): number {
  const { task, start, tokenizer } = stage;
  const { context } = start.options;
  const { train = [], test = [] } = task.listed ?? {};
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
    (p) => exampleOf(stage, p).spans.reduce((sum, { tokens }) => sum + tokens.length, 0),
  );
  if (texts > context)
    fail(
      `task ${task.id}`,
      `its longest problem takes ${texts} tokens with its answer; the model's context is ${context}. Remove such problems, or use a model with a longer context.`,
    );
  return Math.min(maxTokens ?? Math.max(usual, answers), context - prompts);
}

/** A task's lengths are in characters. A text has at most as many tokens as UTF-8 bytes, plus begin and end tokens. */
function generatedLimit({ task, start, encodePrompt }: PretrainedStage, folder: string): number {
  const { context } = start.options;
  const instructions = encodePrompt("").length;
  // A task that never uses a character model may have no alphabet: then any character may occur.
  const sizes = [...task.alphabet].map((c) => new TextEncoder().encode(c).length);
  const bytes = sizes.length ? Math.max(...sizes) : 4;
  const [prompt, answer] = [task.longest.prompt, task.longest.answer].map((n) => n * bytes + 1);
  if (instructions + prompt + answer > context)
    fail(
      folder,
      `its context of ${context} tokens is too short for ${task.id}: a problem may take ${instructions + prompt}, an answer ${answer}. Choose a task with shorter problems, another model, or set maxTokens.`,
    );
  return answer;
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

/** Tokens of the recorded completions of all training problems: one epoch of preference optimisation. */
export const comparedTokens = ({ task, tokenizer }: TextStageOptions): number =>
  (task.listed?.train ?? []).reduce(
    (sum, { candidates = [] }) =>
      sum + candidates.reduce((n, { text }) => n + tokenizer.encode(text).length + 1, 0),
    0,
  );

/** Answer tokens of all training problems: one epoch of imitation. */
export const taughtTokens = (stage: TextStageOptions): number =>
  (stage.task.listed?.train ?? []).reduce(
    (sum, p) =>
      sum +
      exampleOf(stage, p).spans.reduce((n, { by, tokens }) => n + (by === "teacher" ? tokens.length : 0), 0),
    0,
  );
