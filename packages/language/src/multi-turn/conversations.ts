import type { Episode, EpisodeSource, RolloutInput, Snapshot, TaskItem } from "@reins/core";
import { seedOf, stream } from "@reins/core/random";
import { ownTokens } from "../chat/context.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { problemOf } from "../rollouts/task-problem.ts";
import { episodeOf } from "../tasks/episode.ts";
import type { Problem } from "../tasks/text-task.ts";
import { expertConversation } from "./expert-conversation.ts";
import { Frozen } from "./frozen-weights.ts";
import type { Harness } from "./harness.ts";
import { harnessFor } from "./harness-for.ts";
import { weightsOf } from "./roles-policy.ts";
import { episodesOf, viewsOf } from "./view-episodes.ts";

/** One rollout and the group it belongs to. */
interface Rollout {
  readonly play: TaskItem;
  readonly problem: Problem;
  readonly notes: Pick<Episode, "group" | "context">;
}

/** Rollouts of the model's conversations, many at a time, each at its own pace. */
export class Conversations implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly harness: Harness;
  private readonly options: TextStageOptions;
  private readonly playing: RolloutInput;
  private readonly frozen: Frozen;

  constructor(options: TextStageOptions, playing: RolloutInput, frozen = new Frozen(options.start.params)) {
    this.options = options;
    this.frozen = frozen;
    this.playing = playing;
    this.seed = seedOf(playing.key);
    const { weights, version } = playing;
    this.harness = harnessFor(options, { weights, version, record: true, frozen });
  }

  async next(): Promise<readonly Episode[]> {
    const { task: source, statistics } = this.playing;
    const rollouts = source.next(statistics).map((play, p): Rollout => {
      const problem = problemOf(this.options, play);
      const { group = `${this.batches}/${p}`, context } = play;
      return { play, problem, notes: { group, context } };
    });
    this.batches++;
    const { task } = this.options;
    if (Object.values(episodeOf(task).roles).some((r) => r.by === "start")) {
      this.frozen.keep(weightsOf(task, this.playing.weights));
      this.harness.use(this.playing.weights);
    }
    // A resumed run has empty KV caches.
    this.harness.forget();
    const own = rollouts.flatMap((rollout) => Array.from({ length: rollout.play.groupSize }, () => rollout));
    const compared = rollouts.filter((s) => s.play.greedy);
    const all = await Promise.all([
      ...own.map((rollout) => this.sampled(rollout, this.seedFor(this.plays++), false)),
      ...compared.map((rollout) => this.sampled(rollout, this.seedFor(0), true)),
      ...rollouts.flatMap((rollout) =>
        Array.from({ length: rollout.play.teachers ?? 0 }, () =>
          this.taught(rollout, this.seedFor(this.plays++)),
        ),
      ),
    ]);
    return all.flat();
  }

  private seedFor(play: number): number {
    return stream(this.seed, "text", play);
  }

  private async sampled(rollout: Rollout, seed: number, greedy: boolean): Promise<readonly Episode[]> {
    const plays = await this.harness.rollout(rollout.problem, { seed, greedy });
    return plays.flatMap((played) => {
      for (const { scenes } of viewsOf(played)) this.steps += ownTokens(scenes);
      this.steps -= played.before ?? 0;
      return episodesOf(this.options, played, { ...rollout.notes, ...(greedy ? { role: "greedy" } : {}) });
    });
  }

  /** A conversation led by the teacher. */
  private async taught(rollout: Rollout, seed: number): Promise<readonly Episode[]> {
    const played = await expertConversation(this.options, rollout.problem, seed);
    return episodesOf(this.options, played, { ...rollout.notes, role: "teacher" });
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, plays: this.plays, frozen: this.frozen.save() };
  }

  restore(from: Snapshot): void {
    const { frozen, ...counts } = from as { [name: string]: Snapshot };
    Object.assign(this, counts);
    this.frozen.restore(frozen ?? null);
  }
}
