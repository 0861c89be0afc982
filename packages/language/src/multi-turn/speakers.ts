import type { Maker } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { defaultRng, stream } from "@reins/core/random";
import { real } from "@reins/tensor";
import { canEncode } from "../chat/chat-format.ts";
import type { Slot } from "../generation/slot.ts";
import { spanOf } from "../generation/span.ts";
import { stopAt } from "../generation/stop.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { answerLimit } from "../tasks/lengths.ts";
import type { Problem, ScriptedPlayer } from "../tasks/text-task.ts";
import { encodeAfter } from "../tokenizers/continuation.ts";
import type { Speaker } from "./speaker.ts";

/** A model that generates its turns in a slot, each with its own seed. */
export function modelSpeaker(
  { start, tokenizer, task, stop = [], limit }: TextStageOptions,
  slot: Slot,
  { seed, by = "policy" }: { seed: number; by?: Maker },
): Speaker {
  const { context: most } = start.options;
  const speak: Speaker = async (context, _, turn) => {
    const room = most - context.tokens.length;
    if (room < 1) return undefined;
    const written = await slot.write({
      prompt: context.tokens,
      seed: stream(seed, "turn", turn),
      limit: Math.min(answerLimit(task, limit), room),
      ...(stop.length ? { stop: stopAt(stop, tokenizer) } : {}),
    });
    return { text: tokenizer.decode(written.tokens), span: spanOf(written, by), ended: written.ended };
  };
  // Forces the text and reads the log-probability of each token.
  const probabilityOf: Speaker["probabilityOf"] = async (context, text, after = "") => {
    if (!canEncode(tokenizer, after + text)) return undefined;
    const last = context.tokens.at(-1);
    const before = encodeAfter(tokenizer, last, after);
    const truth = [...before, ...encodeAfter(tokenizer, before.at(-1) ?? last, text), tokenizer.end];
    if (truth.length > most - context.tokens.length) return undefined;
    const { modelLogProb } = await slot.write({
      prompt: context.tokens,
      seed: 0,
      limit: truth.length,
      constraint: (tokens, allowed) => {
        allowed[truth[tokens.length]] = 1;
      },
    });
    const counted = modelLogProb.slice(before.length);
    return real.exp(counted.reduce((sum, p) => sum + p, 0) / counted.length);
  };
  return Object.assign(speak, { probabilityOf });
}

/** A scripted speaker, which may see hidden state. */
export function scriptedSpeaker(
  { start, tokenizer }: Pick<TextStageOptions, "start" | "tokenizer">,
  problem: Problem,
  player: ScriptedPlayer,
  { seed, by = "teacher" }: { seed: number; by?: Maker },
): Speaker {
  const random = defaultRng(stream(seed, "player"));
  return async (context, conversation) => {
    const text: unknown = player(problem, conversation, random);
    if (typeof text !== "string")
      throw new Error(`a player returned ${describeValue(text)}; it must return a string`);
    const tokens = [...encodeAfter(tokenizer, context.tokens.at(-1), text), tokenizer.end];
    if (context.tokens.length + tokens.length > start.options.context) return undefined;
    return { text, span: { by, tokens }, ended: "end" };
  };
}
