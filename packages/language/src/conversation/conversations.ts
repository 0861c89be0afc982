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
import { cuts } from "../generation/kept-tokens.ts";
import { LiveGenerator } from "../generation/live.ts";
import { problemOf } from "../play/play-problem.ts";
import { formOf } from "../play/prompt.ts";
import type { TextStageOptions } from "../stage-options.ts";
import type { Problem } from "../tasks/family.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";
import { converse, type Held } from "./converse.ts";
import { playerOf } from "./players.ts";
import { modelSpeaker, scriptedSpeaker } from "./speakers.ts";

/** A generator for a stage's conversations, with the given weights. */
export function liveFor(
  { start, tokenizer, sampling, rows }: TextStageOptions,
  params: GptParams,
  more: { greedy?: boolean; record?: boolean; version?: () => number } = {},
): LiveGenerator {
  return new LiveGenerator({
    model: start.model,
    params,
    vocabulary: start.options.vocabulary,
    context: start.options.context,
    end: tokenizer.end,
    sampling: more.greedy ? { temperature: 0 } : sampling,
    record: more.record && cuts(sampling),
    rows,
    version: more.version,
  });
}

/** Holds a conversation with a model on a lane of its own, as soon as one is free. */
export async function talkWith(
  options: TextStageOptions,
  live: LiveGenerator,
  problem: Problem,
  { seed, greedy = false }: { seed: number; greedy?: boolean },
): Promise<Held> {
  const lane = await live.lane();
  try {
    const speaker = modelSpeaker(options, lane, { seed, by: greedy ? "greedy" : "policy" });
    return await converse(problem, speaker, { ...options, seed: stream(seed, "world") });
  } finally {
    lane.close();
  }
}

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
  private readonly live: LiveGenerator;
  private greedy: LiveGenerator | undefined;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
    this.seed = seedOf(playing.key);
    const params = playing.weights as GptParams;
    this.live = liveFor(options, params, { record: true, version: playing.version });
  }

  async next(): Promise<readonly Episode[]> {
    const { task, statistics, version } = this.playing;
    const slots = task.next(statistics).map((play, p): Slot => {
      const problem = problemOf(this.options, play);
      return { play, problem, group: play.group ?? `${this.batches}/${p}` };
    });
    this.batches++;
    // A run that goes on from a checkpoint has empty caches.
    this.live.forget();
    this.greedy?.forget();
    const own = slots.flatMap((slot) => Array.from({ length: slot.play.plays }, () => slot));
    const compared = slots.filter((s) => s.play.greedy);
    if (compared.length)
      this.greedy ??= liveFor(this.options, this.playing.weights as GptParams, { greedy: true, version });
    return Promise.all([
      ...own.map((slot) => this.held(slot, this.live, this.seedFor(this.plays++), false)),
      ...compared.map((slot) => this.held(slot, this.greedy!, this.seedFor(0), true)),
      ...slots.flatMap((slot) =>
        Array.from({ length: slot.play.teachers ?? 0 }, () => this.taught(slot, this.seedFor(this.plays++))),
      ),
    ]);
  }

  private seedFor(play: number): number {
    return stream(this.seed, "text", play);
  }

  private async held(slot: Slot, live: LiveGenerator, seed: number, greedy: boolean): Promise<Episode> {
    const held = await talkWith(this.options, live, slot.problem, { seed, greedy });
    const episode = this.episode(slot, held, greedy ? { role: "greedy" } : {});
    for (const { passages } of held.context.scenes)
      for (const p of passages) if (p.turn !== undefined) this.steps += p.tokens.length;
    return episode;
  }

  /** As a teacher leads it. */
  private async taught(slot: Slot, seed: number): Promise<Episode> {
    return this.episode(slot, await taught(this.options, slot.problem, seed), { role: "teacher" });
  }

  private episode(
    { problem, group, play }: Slot,
    { context, conversed, truncated }: Held,
    more: Pick<Episode, "role">,
  ): ConversationEpisode {
    return conversationEpisode(
      context.scenes,
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
): Promise<Held> {
  const player = playerOf(options.family, skill);
  const speaker = scriptedSpeaker(options, problem, player, { seed });
  return converse(problem, speaker, { ...options, seed: stream(seed, "world") });
}
