import { stream } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { LiveGenerator } from "../generation/live.ts";
import { generatorOptions } from "../play/generator-options.ts";
import type { TextStageOptions } from "../stage-options.ts";
import type { Problem } from "../tasks/family.ts";
import { type Conversation, converse, type Played } from "./converse.ts";
import { modelSpeaker } from "./speakers.ts";

/** How a problem is played. */
export interface PlayHow {
  readonly seed: number;
  /** Without chance. */
  readonly greedy?: boolean;
}

/** What runs conversations about problems with a model, many at a time. */
export interface Harness {
  play(problem: Problem, how: PlayHow): Promise<Played>;
  /** Goes on with other weights. */
  use(params: GptParams): void;
  /** Plays that begin now share nothing with those before. */
  forget(): void;
}

/** Weights that are talked to. */
export interface ServedWeights {
  readonly params: GptParams;
  readonly version?: () => number;
  /** Notes what sampling kept, to learn from. */
  readonly record?: boolean;
}

/** Conversations that are held here: with the family's tools, or with its world. */
export class LaneHarness implements Harness {
  private readonly options: TextStageOptions;
  private served: ServedWeights;
  private readonly generators = new Map<boolean, LiveGenerator>();

  constructor(options: TextStageOptions, served: ServedWeights) {
    this.options = options;
    this.served = served;
  }

  play(problem: Problem, { seed, greedy = false }: PlayHow): Promise<Conversation> {
    let live = this.generators.get(greedy);
    if (!live) {
      const { params, version, record = false } = this.served;
      live = new LiveGenerator(
        generatorOptions(this.options, params, { greedy, version, record: record && !greedy }),
      );
      this.generators.set(greedy, live);
    }
    return talkWith(this.options, live, problem, { seed, greedy });
  }

  use(params: GptParams): void {
    if (params === this.served.params) return;
    this.served = { ...this.served, params };
    for (const live of this.generators.values()) live.use(params);
  }

  forget(): void {
    for (const live of this.generators.values()) live.forget();
  }
}

/** Holds a conversation with a model on a lane of its own, as soon as one is free. */
export async function talkWith(
  options: TextStageOptions,
  live: LiveGenerator,
  problem: Problem,
  { seed, greedy = false }: PlayHow,
): Promise<Conversation> {
  const lane = await live.lane();
  try {
    const speaker = modelSpeaker(options, lane, { seed, by: greedy ? "greedy" : "policy" });
    return await converse(problem, speaker, { ...options, seed: stream(seed, "world") });
  } finally {
    lane.close();
  }
}
