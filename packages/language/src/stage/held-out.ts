import type { Episode } from "@reins/core";
import { stream } from "@reins/core/random";
import { expertConversation } from "../multi-turn/expert-conversation.ts";
import { episodesOf } from "../multi-turn/view-episodes.ts";
import { candidateEpisodes } from "../rollouts/comparisons.ts";
import { exampleEpisode, exampleOf, tokensIn } from "../rollouts/examples.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { isMultiTurn } from "../tasks/episode.ts";
import { sampleProblem } from "../tasks/sample-problem.ts";
import type { Problem } from "../tasks/text-task.ts";

/** Held-out problems for evaluation. Problems without a prompt are skipped where others have one. */
export function heldOut(options: TextStageOptions, count: number, seed: number): readonly Problem[] {
  const all = options.task.listed?.test;
  return chosen(options, all?.every((p) => p.alone) ? all : all?.filter((p) => !p.alone), count, seed);
}

/**
 * Held-out teacher examples, to validate imitation: the same for the same seed. Empty where a file holds out no
 * lines; examples longer than the model's context are skipped.
 */
export function heldOutExamples(
  options: TextStageOptions,
  count: number,
  seed: number,
): readonly Episode[] | Promise<readonly Episode[]> {
  const { task, start } = options;
  if (task.listed && task.listed.test === task.listed.train) return [];
  const problems = chosen(options, task.listed?.test, count, seed);
  if (isMultiTurn(task))
    return Promise.all(
      problems.map(async (problem, i) => {
        const held = await expertConversation(options, problem, stream(seed, "lesson", i));
        return episodesOf(options, held, { role: "teacher" });
      }),
    ).then((all) => all.flat());
  return problems.flatMap((problem) => {
    const example = exampleOf(options, problem);
    const { others, own } = tokensIn(example.spans);
    return others + own > start.options.context ? [] : [exampleEpisode(options, problem, example)];
  });
}

/** Recorded completions of held-out problems, those of a problem as one group; `trained` as of `Stage.heldOutComparisons`. */
export function heldOutCandidates(
  options: TextStageOptions,
  count: number,
  seed: number,
  { trained = false }: { readonly trained?: boolean } = {},
): Episode[] {
  const { task } = options;
  if (task.listed && task.listed.test === task.listed.train && !trained) return [];
  const problems = task.listed?.test.filter((p) => p.candidates);
  return candidateEpisodes(options, chosen(options, problems, count, seed));
}

/** Problems of the test split: sampled by the seed, or spread evenly over the list where they are listed. */
function chosen(
  { task, level }: TextStageOptions,
  listed: readonly Problem[] | undefined,
  count: number,
  seed: number,
): readonly Problem[] {
  if (!listed) return Array.from({ length: count }, (_, i) => sampleProblem(task, level, "test", i, seed));
  const some = Math.min(count, listed.length);
  return Array.from({ length: some }, (_, i) => listed[Math.floor((i * listed.length) / some)]);
}
