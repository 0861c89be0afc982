import type { Episode, EpisodeSource, RolloutInput, Snapshot } from "@reins/core";
import { seedOf, stream } from "@reins/core/random";
import { ownTokens } from "../chat/context.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { problemOf } from "../rollouts/task-problem.ts";
import { expertConversation } from "./expert-conversation.ts";
import { episodesOf, viewsOf } from "./view-episodes.ts";

/** Expert conversations for imitation. */
export class ExpertConversations implements EpisodeSource {
  steps = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly options: TextStageOptions;
  private readonly input: RolloutInput;

  constructor(options: TextStageOptions, input: RolloutInput) {
    this.options = options;
    this.input = input;
    this.seed = seedOf(input.key);
  }

  async next(): Promise<readonly Episode[]> {
    const { task, statistics } = this.input;
    const all = await Promise.all(
      task.next(statistics).map(async (item) => {
        const problem = problemOf(this.options, item);
        const held = await expertConversation(
          this.options,
          problem,
          stream(this.seed, "lesson", this.plays++),
        );
        for (const { segments } of viewsOf(held)) this.steps += ownTokens(segments);
        return episodesOf(this.options, held, { role: "teacher" });
      }),
    );
    return all.flat();
  }

  save(): Snapshot {
    return { steps: this.steps, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const { steps, plays } = from as { steps: number; plays: number };
    Object.assign(this, { steps, plays });
  }
}
