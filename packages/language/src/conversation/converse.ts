import { defaultRng, type Generator, type Maker, said, stream } from "@reins/core";
import type { Generated } from "../generation/sequence.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { type Family, type Problem, type Talk, type Turn, usualTurns } from "../tasks/family.ts";
import type { Message } from "../tokenizers/message.ts";
import { terse } from "../tools/call-format.ts";
import { inTime } from "../tools/in-time.ts";
import { type Carried, runCalls } from "../tools/run-calls.ts";
import { Context, type Scene } from "./context.ts";
import type { Conversed } from "./conversation-episode.ts";
import { plainly } from "./speaking.ts";

/** A turn as it was written. */
export interface Utterance {
  readonly text: string;
  readonly by: Maker;
  readonly written: Pick<Generated, "tokens" | "ended"> & Partial<Generated>;
}

/** Who writes the model's turns: itself, a teacher, a fixed policy. Undefined where there is no room for another. */
export type Speaker = (context: Context, talk: Talk, turn: number) => Promise<Utterance | undefined>;

/** What a conversation is held with. */
export interface ConverseOptions extends Pick<TextStageOptions, "family" | "tokenizer"> {
  readonly speaking?: TextStageOptions["speaking"];
  readonly opening?: TextStageOptions["opening"];
  readonly format?: TextStageOptions["format"];
  /** For what the world leaves to chance. */
  readonly seed: number;
}

/** What was played of a problem: all that the model saw and wrote, and what became of it. */
export interface Played {
  readonly scenes: readonly Scene[];
  readonly conversed: Conversed;
  /** Whether it was cut off: too many turns, or no room for another. */
  readonly truncated: boolean;
}

/** A conversation that was held. */
export interface Conversation extends Played {
  readonly context: Context;
}

const patience = 10_000;

/** Holds a conversation about a problem to its end. Whatever breaks in the world ends it and is told, not thrown. */
export async function converse(
  problem: Problem,
  speaker: Speaker,
  options: ConverseOptions,
): Promise<Conversation> {
  const { family, tokenizer, speaking = plainly(tokenizer), opening = openingOf, seed } = options;
  const { tools = [], turns: most = usualTurns } = family;
  const format = family.format ?? options.format ?? terse;
  const random = defaultRng(seed);
  const context = new Context(speaking, opening(problem));
  const first = context.messages.length;
  const rewards: number[] = [];
  const calls: Record<string, number> = {};
  const store = new Map<string, unknown>();
  let [price, answer, ended] = [0, "", "end"];
  let state: unknown;
  const talk = (): Talk => ({ state: state as never, messages: context.messages, turns: rewards.length });
  const close = (more: { truncated?: boolean; failed?: string } = {}): Conversation => ({
    context,
    scenes: context.scenes,
    truncated: more.truncated ?? false,
    conversed: {
      problem,
      opening: first,
      text: answer,
      ended: more.truncated ? "limit" : ended,
      messages: context.messages,
      rewards,
      state,
      calls,
      price,
      ...(more.failed === undefined ? {} : { failed: more.failed }),
    },
  });
  try {
    state = family.begin ? family.begin(problem, random) : structuredClone(problem.data);
  } catch (error) {
    return close({ failed: `its world did not begin: ${(error as Error)?.message ?? error}` });
  }
  for (;;) {
    if (rewards.length >= most) return close({ truncated: true });
    const spoken = await speaker(context, talk(), rewards.length);
    if (!spoken) return close({ truncated: true });
    const { calls: meant, malformed } = format.parse(spoken.text, tools);
    answer = spoken.text;
    ended = spoken.written.ended;
    const message: Message = {
      role: "assistant",
      content: spoken.text,
      ...(meant.length ? { calls: meant.map((c) => ({ ...c, id: `${rewards.length}-${c.id}` })) } : {}),
    };
    context.write(message, spoken.by, spoken.written);
    rewards.push(0);
    // A turn that was cut off calls nothing: what it would have become is not known.
    const whole = ended !== "limit";
    const carry = async (wanted: Message["calls"] = []) => {
      const carried = await runCalls(wanted, {
        tools,
        state,
        store,
        seed: stream(seed, "calls", rewards.length),
      });
      for (const c of carried) calls[c.status] = (calls[c.status] ?? 0) + 1;
      price += carried.reduce((sum, c) => sum + c.price, 0);
      context.tell(carried.map((c: Carried) => c.message));
    };
    if (whole && message.calls) {
      await carry(message.calls);
      continue;
    }
    if (malformed !== undefined) {
      calls.malformed = (calls.malformed ?? 0) + 1;
      context.tell([{ role: "tool", content: `error: ${malformed}` }]);
      continue;
    }
    if (!family.turn) return close({ truncated: !whole });
    const [turn, wrong] = await answerOf(family, state, message, random);
    if (wrong !== undefined || !turn) return close({ failed: wrong });
    rewards[rewards.length - 1] = turn.reward ?? 0;
    if (turn.done) return close();
    if (turn.calls?.length)
      await carry(turn.calls.map((c, i) => ({ ...c, id: `${rewards.length - 1}-call-${i}` })));
    else if (turn.say === undefined) return close();
    else context.tell([{ role: "user", content: turn.say }]);
  }
}

/** A problem as a conversation begins with it. */
const openingOf = ({ messages, prompt }: Problem): readonly Message[] =>
  messages ?? [{ role: "user", content: prompt }];

/** What the world says to a turn, or what is wrong with that. */
async function answerOf(
  family: Family,
  state: unknown,
  message: Message,
  random: Generator,
): Promise<[Turn | undefined, string | undefined]> {
  try {
    const turn = await inTime(
      Promise.resolve().then(() => family.turn!(state as never, message, random)),
      patience,
    );
    const { reward = 0 } = turn;
    if (!Number.isFinite(reward)) return [undefined, `the reward of a turn is ${said(reward)}`];
    return [turn, undefined];
  } catch (error) {
    return [undefined, `its world failed: ${error instanceof Error ? error.message : String(error)}`];
  }
}
