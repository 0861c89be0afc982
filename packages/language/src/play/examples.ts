import type { Episode, EpisodeSource, Playing, Snapshot } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { checkLength } from "./fits.ts";
import { problemOf } from "./play-problem.ts";
import { asked, formOf } from "./prompt.ts";
import { textEpisode } from "./text-episode.ts";

/** A teacher's answers. */
export class Examples implements EpisodeSource {
  steps = 0;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
  }

  next(): readonly Episode[] {
    const { tokenizer, family } = this.options;
    const form = formOf(this.options);
    return this.playing.task.next(this.playing.statistics).map((play) => {
      const problem = problemOf(this.options, play);
      const { prompt, picture } = asked(this.options, problem);
      const answer = [...tokenizer.encode(problem.answer), tokenizer.end];
      checkLength(this.options, prompt.length, answer.length);
      this.steps += answer.length;
      return textEpisode(
        [
          { by: "environment", tokens: prompt },
          { by: "teacher", tokens: answer },
        ],
        {
          task: `${family.id} ${problem.level}`,
          truncated: false,
          role: "teacher",
          answered: { problem, text: problem.answer, ended: "end" },
        },
        { ...form, picture },
      );
    });
  }

  save(): Snapshot {
    return { steps: this.steps };
  }

  restore(from: Snapshot): void {
    this.steps = (from as { steps: number }).steps;
  }
}
