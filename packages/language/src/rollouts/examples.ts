import type { Episode, EpisodeSource, RolloutInput, Snapshot } from "@reins/core";
import type { Span } from "../generation/span.ts";
import type { Problem } from "../tasks/text-task.ts";
import { encodeAfter } from "../tokenizers/continuation.ts";
import { checkLength } from "./check-length.ts";
import { formOf, type Prompt, promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { problemOf } from "./task-problem.ts";
import { type TextEpisode, textEpisode } from "./text-episode.ts";

/** Reference answers of the teacher. */
export class Examples implements EpisodeSource {
  steps = 0;
  private readonly options: TextStageOptions;
  private readonly input: RolloutInput;

  constructor(options: TextStageOptions, input: RolloutInput) {
    this.options = options;
    this.input = input;
  }

  next(): readonly Episode[] {
    return this.input.task.next(this.input.statistics).map((item) => {
      const problem = problemOf(this.options, item);
      const example = exampleOf(this.options, problem);
      const { others, own } = tokensIn(example.spans);
      checkLength(this.options, others, own);
      this.steps += own;
      return exampleEpisode(this.options, problem, example);
    });
  }

  save(): Snapshot {
    return { steps: this.steps };
  }

  restore(from: Snapshot): void {
    this.steps = (from as { steps: number }).steps;
  }
}

/** A problem and the teacher's answer, in tokens. */
type Example = Pick<Prompt, "image"> & { readonly spans: readonly Span[] };

/** Numbers of the teacher's tokens and of others in an example. */
export function tokensIn(spans: readonly Span[]): { readonly others: number; readonly own: number } {
  const by = (maker: Span["by"]) => spans.reduce((sum, p) => sum + (p.by === maker ? p.tokens.length : 0), 0);
  return { others: by("environment"), own: by("teacher") };
}

/** An example as a teacher episode. */
export function exampleEpisode(
  options: TextStageOptions,
  problem: Problem,
  { spans, image } = exampleOf(options, problem),
): TextEpisode {
  return textEpisode(
    spans,
    {
      task: `${options.task.id} ${problem.level}`,
      truncated: false,
      role: "teacher",
      answered: { problem, text: problem.answer, ended: "end" },
    },
    { ...formOf(options), image },
  );
}

/** A problem with its reference answer. In a conversation led by a teacher, all assistant turns are the teacher's. */
export function exampleOf(options: TextStageOptions, problem: Problem): Example {
  const { tokenizer, conversationEncoder: converse } = options;
  const { messages = [], taught, answer } = problem;
  if (converse && taught && messages.some((m) => m.role === "assistant"))
    return { spans: converse.encodeDemonstration([...messages, { role: "assistant", content: answer }]) };
  const { prompt, image } = promptOf(options, problem);
  return {
    spans: [
      { by: "environment", tokens: prompt },
      { by: "teacher", tokens: [...encodeAfter(tokenizer, prompt.at(-1), answer), tokenizer.end] },
    ],
    image,
  };
}
