import { type Episode, type EpisodeSource, type Playing, type Snapshot, seedOf, stream } from "@reins/core";
import { problemOf } from "../play/play-problem.ts";
import { formOf } from "../play/prompt.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { ownTokens } from "./context.ts";
import { conversationEpisode } from "./conversation-episode.ts";
import { taught } from "./conversations.ts";

/** Conversations that the family's expert leads, to be imitated. */
export class Lessons implements EpisodeSource {
  steps = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
    this.seed = seedOf(playing.key);
  }

  next(): Promise<readonly Episode[]> {
    const { task, statistics } = this.playing;
    return Promise.all(
      task.next(statistics).map(async (play) => {
        const problem = problemOf(this.options, play);
        const held = await taught(this.options, problem, stream(this.seed, "lesson", this.plays++));
        this.steps += ownTokens(held.scenes);
        return conversationEpisode(
          held.scenes,
          {
            task: `${this.options.family.id} ${problem.level}`,
            truncated: held.truncated,
            role: "teacher",
            answered: held.conversed,
          },
          formOf(this.options),
        );
      }),
    );
  }

  save(): Snapshot {
    return { steps: this.steps, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const { steps, plays } = from as { steps: number; plays: number };
    Object.assign(this, { steps, plays });
  }
}
