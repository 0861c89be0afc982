import {
  type Assignment,
  type Episode,
  type EpisodeSource,
  type Playing,
  type Snapshot,
  seedOf,
  stream,
} from "@reins/core";
import type { GptParams } from "@reins/nn";
import { problemOf } from "../play/play-problem.ts";
import { formOf } from "../play/prompt.ts";
import type { TextStageOptions } from "../stage-options.ts";
import type { Problem } from "../tasks/family.ts";
import { ownTokens } from "./context.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";
import { type Conversation, converse, type Played } from "./converse.ts";
import type { Harness } from "./harness.ts";
import { harnessFor } from "./harness-for.ts";
import { playerOf } from "./players.ts";
import { scriptedSpeaker } from "./speakers.ts";

/** One play, and what it is a part of. */
interface Slot {
  readonly play: Assignment;
  readonly problem: Problem;
  readonly group: string;
}

/** The model's own conversations: many at a time, each at its own pace. */
export class Conversations implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly harness: Harness;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
    this.seed = seedOf(playing.key);
    const served = { params: playing.weights as GptParams, version: playing.version, record: true };
    this.harness = harnessFor(options, served);
  }

  async next(): Promise<readonly Episode[]> {
    const { task, statistics } = this.playing;
    const slots = task.next(statistics).map((play, p): Slot => {
      const problem = problemOf(this.options, play);
      return { play, problem, group: play.group ?? `${this.batches}/${p}` };
    });
    this.batches++;
    // A run that goes on from a checkpoint has empty caches.
    this.harness.forget();
    const own = slots.flatMap((slot) => Array.from({ length: slot.play.plays }, () => slot));
    const compared = slots.filter((s) => s.play.greedy);
    return Promise.all([
      ...own.map((slot) => this.held(slot, this.seedFor(this.plays++), false)),
      ...compared.map((slot) => this.held(slot, this.seedFor(0), true)),
      ...slots.flatMap((slot) =>
        Array.from({ length: slot.play.teachers ?? 0 }, () => this.taught(slot, this.seedFor(this.plays++))),
      ),
    ]);
  }

  private seedFor(play: number): number {
    return stream(this.seed, "text", play);
  }

  private async held(slot: Slot, seed: number, greedy: boolean): Promise<Episode> {
    const held = await this.harness.play(slot.problem, { seed, greedy });
    const episode = this.episode(slot, held, greedy ? { role: "greedy" } : {});
    this.steps += ownTokens(held.scenes);
    return episode;
  }

  /** As a teacher leads it. */
  private async taught(slot: Slot, seed: number): Promise<Episode> {
    return this.episode(slot, await taught(this.options, slot.problem, seed), { role: "teacher" });
  }

  private episode(
    { problem, group, play }: Slot,
    { scenes, conversed, truncated }: Played,
    more: Pick<Episode, "role">,
  ): ConversationEpisode {
    return conversationEpisode(
      scenes,
      {
        task: `${this.options.family.id} ${problem.level}`,
        group,
        context: play.context,
        truncated,
        answered: conversed,
        ...more,
      },
      formOf(this.options),
    );
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const { steps, batches, plays } = from as { steps: number; batches: number; plays: number };
    Object.assign(this, { steps, batches, plays });
  }
}

/** A conversation that the family's expert leads, or another of its players. */
export function taught(
  options: TextStageOptions,
  problem: Problem,
  seed: number,
  skill = "expert",
): Promise<Conversation> {
  const player = playerOf(options.family, skill);
  const speaker = scriptedSpeaker(options, problem, player, { seed });
  return converse(problem, speaker, { ...options, seed: stream(seed, "world") });
}
