import {
  type ComparisonOptions,
  type Episode,
  type EpisodeSource,
  fail,
  type RolloutInput,
  type Snapshot,
} from "@reins/core";
import type { Candidate, Problem } from "../tasks/text-task.ts";
import { encodeAfter } from "../tokenizers/continuation.ts";
import { checkLength } from "./check-length.ts";
import { formOf, promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { problemOf } from "./task-problem.ts";
import { textEpisode } from "./text-episode.ts";

/** A completion that may have no score for its prompt. */
type Unscored = Pick<Candidate, "text"> & Partial<Candidate>;

/** Recorded completions of problems with their scores. Its steps are the tokens of the completions. */
export class Comparisons implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private readonly options: TextStageOptions;
  private readonly input: RolloutInput;
  private readonly how: ComparisonOptions;

  constructor(options: TextStageOptions, input: RolloutInput, how: ComparisonOptions = {}) {
    this.options = options;
    this.input = input;
    this.how = how;
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.input;
    if (this.how.steps)
      fail(
        `task ${this.options.task.id}`,
        "its problems have no labelled steps. Use a file of lines with prompt, completions and labels, and the folder of a model: --model ./model.",
      );
    const problems = task.next(statistics).map((item) => problemOf(this.options, item));
    const batch = this.batches++;
    return problems.flatMap((problem, p) => {
      const group = `${batch}/${p}`;
      const others = candidatesOf(this.options, problems[(p + 1) % problems.length]);
      return candidatesOf(this.options, problem).flatMap((candidate, c) => {
        const own = this.episode(problem, candidate, group);
        if (!this.how.mismatched) return [own];
        const { text } = others[c % others.length];
        return [own, this.episode(problem, { text }, `${group}/${c}`)];
      });
    });
  }

  private episode(problem: Problem, candidate: Unscored, group: string): Episode {
    const { episode, tokens } = completionEpisode(this.options, problem, candidate, group);
    if (candidate.score !== undefined) this.steps += tokens;
    return episode;
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches };
  }

  restore(from: Snapshot): void {
    const { steps, batches } = from as { steps: number; batches: number };
    Object.assign(this, { steps, batches });
  }
}

/** The recorded completions of a problem; throws if it has none. */
function candidatesOf(
  { task }: TextStageOptions,
  { candidates = [], prompt }: Problem,
): readonly Candidate[] {
  if (candidates.length > 0) return candidates;
  return fail(
    `task ${task.id}`,
    `a problem has no compared completions: ${JSON.stringify(prompt.slice(0, 80))}. Add chosen and rejected to its line, or candidates to the problem.`,
  );
}

/** A recorded completion as an episode, and the number of its tokens. */
function completionEpisode(
  options: TextStageOptions,
  problem: Problem,
  { text, score, margin }: Unscored,
  group: string,
): { readonly episode: Episode; readonly tokens: number } {
  const { task, tokenizer } = options;
  const { prompt, image } = promptOf(options, problem);
  const tokens = [...encodeAfter(tokenizer, prompt.at(-1), text), tokenizer.end];
  checkLength(options, prompt.length, tokens.length);
  const episode = textEpisode(
    [
      { by: "environment", tokens: prompt },
      { by: "teacher", tokens },
    ],
    {
      task: `${task.id} ${problem.level}`,
      group,
      truncated: false,
      role: "teacher",
      answered: { problem, text, ended: "end" },
    },
    { ...formOf(options), image },
  );
  const about = { ...(score === undefined ? {} : { score }), ...(margin === undefined ? {} : { margin }) };
  return { episode: { ...episode, ...about }, tokens: tokens.length };
}

/** The recorded completions of some problems as episodes, those of a problem as one group. */
export const candidateEpisodes = (options: TextStageOptions, problems: readonly Problem[]): Episode[] =>
  problems.flatMap((problem, p) =>
    candidatesOf(options, problem).map((c) => completionEpisode(options, problem, c, `${p}`).episode),
  );
