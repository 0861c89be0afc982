import { ConversationContext, LiveGenerator, plainFormat } from "@reins/language";
import { now } from "./clock.ts";
import { generatorOf, type SizeName, talkedTo, words } from "./subject.ts";

/** Number of turns of the conversation. */
export const turns = 50;
const limit = 16;

/** The cost of a turn. */
export interface TurnCost {
  /** Prefilled tokens. */
  readonly read: number;
  /** Milliseconds to the first and to the last token. */
  readonly first: number;
  readonly whole: number;
}

/** The turns of a conversation, with and without KV cache reuse. */
export interface LongSample {
  readonly kept: readonly TurnCost[];
  readonly anew: readonly TurnCost[];
}

/** A conversation of 50 turns, each generated twice: in its own slot, and in an empty one. */
export function longTalk(name: SizeName): () => Promise<LongSample> {
  const { start, tokenizer, ...rest } = talkedTo(name, turns, limit);
  const options = generatorOf({ start, tokenizer, ...rest }, { rows: 1, endless: true });
  const [keeping, forgetting] = [new LiveGenerator(options), new LiveGenerator(options)];
  return async () => {
    keeping.forget();
    const slot = await keeping.slot();
    const context = new ConversationContext(plainFormat(tokenizer), [
      { role: "user", content: "tell me a long story now" },
    ]);
    const sample = { kept: [] as TurnCost[], anew: [] as TurnCost[] };
    for (let turn = 0; turn < turns; turn++) {
      const request = { prompt: [...context.tokens], seed: turn, limit };
      forgetting.forget();
      const other = await forgetting.slot();
      sample.anew.push((await cost(forgetting, (seen) => other.write(request, { onToken: seen })))[0]);
      other.close();
      const [own, text] = await cost(keeping, (seen) => slot.write(request, { onToken: seen }));
      sample.kept.push(own);
      context.write(
        { role: "assistant", content: tokenizer.decode(text.tokens) },
        { by: "policy", tokens: text.tokens },
      );
      context.append([{ role: "user", content: words }]);
    }
    slot.close();
    return sample;
  };
}

async function cost<T>(live: LiveGenerator, write: (seen: () => void) => Promise<T>): Promise<[TurnCost, T]> {
  const [before, start] = [live.read, now()];
  let first = 0;
  const text = await write(() => {
    first ||= now() - start;
  });
  return [{ read: live.read - before, first, whole: now() - start }, text];
}
