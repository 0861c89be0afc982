import { fail } from "@reins/core";
import { checkConversation } from "../multi-turn/check-conversation.ts";
import { checkLength } from "../rollouts/check-length.ts";
import { checkTokenizer } from "../rollouts/check-tokenizer.ts";
import { promptOf } from "../rollouts/prompt.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { checkProblem, requireTask } from "../tasks/former-names.ts";
import { answerLimit } from "../tasks/lengths.ts";
import { sampleProblem } from "../tasks/sample-problem.ts";

/** Problems checked before the first rollout. */
const looks = 8;

/** Fields without which a multi-turn task would be taken for one of a single turn. */
const episodeFields = ["tools", "turn", "turns", "agent", "roles", "players"];

/** Throws if a task's problems do not fit the model. */
export function checkStage(options: TextStageOptions): void {
  requireTask("textStage", options);
  const { task, level, start, tokenizer, sampling, split = "train" } = options;
  const { vocabulary } = start.options;
  const misplaced = episodeFields.find((name) => name in task);
  if (misplaced !== undefined)
    fail(`task ${task.id}`, `${misplaced} is a field of the episode. Write episode: { ${misplaced}: … }.`);
  if (tokenizer.size > vocabulary)
    fail(
      `task ${task.id}`,
      `the tokenizer has ${tokenizer.size} tokens, but the model's vocabulary is ${vocabulary}. Use the model's own tokenizer.`,
    );
  if (sampling?.temperature === 0)
    fail(
      `task ${task.id}`,
      "temperature is 0: all answers of a group would be identical and give no learning signal. Use a temperature above 0; evaluation is always greedy.",
    );
  const limit = answerLimit(task, options.limit);
  const source = options.limit === undefined ? "longest.answer of the task, plus 1" : "the option `limit`";
  if (!(limit >= 1 && limit < Number.POSITIVE_INFINITY))
    fail(
      `task ${task.id}`,
      `the answer limit is ${limit} (${source}). Set it to at least 1, the maximum tokens of an answer.`,
    );
  checkConversation(options);
  checkTokenizer(options, looks);
  for (let i = 0; i < looks; i++) {
    const problem = sampleProblem(task, level, split, i);
    checkProblem(`task ${task.id}`, problem);
    checkLength(
      options,
      promptOf(options, problem).prompt.length,
      tokenizer.encode(problem.answer).length + 1,
    );
  }
}
