import { defaultSeed, stream } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { draw } from "../tasks/draw.ts";
import type { DatasetLine } from "../tasks/lines.ts";
import { characters } from "../tokenizers/characters.ts";
import { talkVerdict } from "./talk-verifier.ts";
import { taught } from "./taught.ts";

/** Which conversations are written down. */
export interface TalkLinesOptions extends Pick<TextStageOptions, "family" | "level"> {
  /** Which of the family's players leads them (default `expert`). */
  readonly player?: string;
  readonly count: number;
  readonly seed?: number;
  /** Problems for training (default), or those that are held out. */
  readonly split?: "train" | "test";
}

/** A conversation of a player's, as a line of a dataset: what was said, and what it came to. */
export interface TalkLine extends DatasetLine {
  readonly messages: NonNullable<DatasetLine["messages"]>;
  readonly split: "train" | "test";
  readonly player: string;
  readonly level: number;
  readonly score: number;
  /** The score, with what turns earned and calls cost. */
  readonly reward: number;
  readonly turns: number;
}

/** Conversations of a world's players, one after another: to learn from what was recorded, by a player of any skill. */
export async function* talkLines(o: TalkLinesOptions): AsyncGenerator<TalkLine> {
  const { family, level, player = "expert", count, seed = defaultSeed, split = "train" } = o;
  const tokenizer = characters(family.alphabet);
  // Nobody is short of room who is no model.
  const start = { options: { context: Number.POSITIVE_INFINITY } } as TextStageOptions["start"];
  for (let i = 0; i < count; i++) {
    const problem = draw(family, level, split, i, stream(seed, "recorded"));
    const own = stream(seed, "recording", i);
    const { conversed } = await taught({ family, level, tokenizer, start }, problem, own, player);
    const { score = 0, reward } = await talkVerdict(family, conversed);
    const { messages, rewards } = conversed;
    yield { messages, split, player, level, score, reward, turns: rewards.length };
  }
}
