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
  readonly item: TaskItem;
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
  private readonly input: RolloutInput;
  private readonly frozen: Frozen;

  constructor(options: TextStageOptions, input: RolloutInput, frozen = new Frozen(options.start.params)) {
    this.options = options;
    this.frozen = frozen;
    this.input = input;
    this.seed = seedOf(input.key);
    const { weights, version } = input;
    this.harness = harnessFor(options, { weights, version, record: true, frozen });
  }

  async next(): Promise<readonly Episode[]> {
    const { task: source, statistics } = this.input;
    const rollouts = source.next(statistics).map((item, p): Rollout => {
      const problem = problemOf(this.options, item);
      const { group = `${this.batches}/${p}`, context } = item;
      return { item, problem, notes: { group, context } };
    });
    this.batches++;
    const { task } = this.options;
    if (Object.values(episodeOf(task).roles).some((r) => r.by === "start")) {
      this.frozen.keep(weightsOf(task, this.input.weights));
      this.harness.use(this.input.weights);
    }
    // A resumed run has empty KV caches.
    this.harness.forget();
    const own = rollouts.flatMap((rollout) => Array.from({ length: rollout.item.groupSize }, () => rollout));
    const compared = rollouts.filter((s) => s.item.greedy);
    const all = await Promise.all([
      ...own.map((rollout) => this.sampled(rollout, this.seedFor(this.plays++), false)),
      ...compared.map((rollout) => this.sampled(rollout, this.seedFor(0), true)),
      ...rollouts.flatMap((rollout) =>
        Array.from({ length: rollout.item.teachers ?? 0 }, () =>
          this.demonstration(rollout, this.seedFor(this.plays++)),
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
      for (const { segments } of viewsOf(played)) this.steps += ownTokens(segments);
      this.steps -= played.before ?? 0;
      return episodesOf(this.options, played, { ...rollout.notes, ...(greedy ? { role: "greedy" } : {}) });
    });
  }

  /** A conversation led by the teacher. */
  private async demonstration(rollout: Rollout, seed: number): Promise<readonly Episode[]> {
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
