import { defaultSeed, stream } from "@reins/core/random";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import type { DatasetLine } from "../tasks/lines.ts";
import { sampleProblem } from "../tasks/sample-problem.ts";
import { characters } from "../tokenizers/characters.ts";
import { conversationVerdict } from "./conversation-verifier.ts";
import { expertConversation } from "./expert-conversation.ts";

/** Which conversations to record. */
export interface ConversationLinesOptions extends Pick<TextStageOptions, "task" | "level"> {
  /** The task's scripted player that leads them (default `expert`). */
  readonly player?: string;
  readonly count: number;
  readonly seed?: number;
  /** Problems for training (default), or held-out ones. */
  readonly split?: "train" | "test";
}

/** A conversation of a scripted player as a line of a dataset: its messages and its result. */
export interface ConversationLine extends DatasetLine {
  readonly messages: NonNullable<DatasetLine["messages"]>;
  readonly split: "train" | "test";
  readonly player: string;
  readonly level: number;
  readonly score: number;
  /** The score, plus turn rewards, minus costs of calls. */
  readonly reward: number;
  readonly turns: number;
}

/** Conversations of an environment's scripted players, as an offline dataset of any skill. */
export async function* conversationLines(o: ConversationLinesOptions): AsyncGenerator<ConversationLine> {
  const { task, level, player = "expert", count, seed = defaultSeed, split = "train" } = o;
  const tokenizer = characters(task.alphabet);
  // Scripted players need no context limit.
  const start = { options: { context: Number.POSITIVE_INFINITY } } as TextStageOptions["start"];
  for (let i = 0; i < count; i++) {
    const problem = sampleProblem(task, level, split, i, stream(seed, "recorded"));
    const own = stream(seed, "recording", i);
    const { result } = await expertConversation({ task, level, tokenizer, start }, problem, own, player);
    const { score = 0, reward } = await conversationVerdict(task, result);
    const { messages, rewards } = result;
    yield { messages, split, player, level, score, reward, turns: rewards.length };
  }
}
