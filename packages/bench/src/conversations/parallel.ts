import { stream } from "@reins/core/random";
import {
  type Conversation,
  converse,
  LiveGenerator,
  modelSpeaker,
  type Request,
  type Span,
  sampleProblem,
  TextGenerator,
} from "@reins/language";
import { tokens } from "../noise.ts";
import { now } from "./clock.ts";
import { asked, generatorOf, type SizeName, type Subject, talkedTo } from "./subject.ts";

/** Concurrent conversations. */
export const together = 64;

const turns = 8;
const limit = 32;

/** Tokens per second of one round. */
export interface ManySample {
  /** In conversations, while 64 of them are active. */
  readonly talked: number;
  /** In conversations, until the last one ends and most slots are empty. */
  readonly whole: number;
  /** The generator on as many rows at the same mean length, without turns. */
  readonly bare: number;
  /** The generator with the same prompts turn by turn, without conversations. */
  readonly repeated: number;
  /** Prefilled tokens per generated token. */
  readonly read: number;
}

/**
 * 64 concurrent conversations, against the speed of the generator. Even turns have the maximum length, so that all conversations advance
 * together. Uneven turns end at random, with three conversations per slot; the clock stops when the last conversation has a slot, since
 * fewer than 64 are active afterwards.
 */
export function manyTalks(name: SizeName, even: boolean): () => Promise<ManySample> {
  const subject = talkedTo(name, turns, limit);
  const live = () => new LiveGenerator(generatorOf(subject, { rows: together, endless: even }));
  const [talking, repeating] = [live(), live()];
  const writing = new TextGenerator(generatorOf(subject, { rows: together, endless: true }));
  const count = even ? together : 3 * together;
  return async () => {
    talking.forget();
    const [written, read] = [talking.tokens, talking.read];
    let held: readonly Conversation[] = [];
    let [begun, full] = [0, 0];
    const start = now();
    const onSlot = () => {
      if (++begun === count && !even) full = (talking.tokens - written) / (now() - start);
    };
    // The same conversations in every round: all kernels are compiled in the first.
    const talked = await seconds(async () => {
      const all = Array.from({ length: count }, (_, i) => talkOn(subject, talking, i, onSlot));
      held = await Promise.all(all);
    });
    const [own, prefilled] = [talking.tokens - written, talking.read - read];
    repeating.forget();
    const before = repeating.read;
    const lists = held.map(({ segments: [{ spans }] }, i) => requestsIn(spans, i));
    const repeated = await seconds(() => Promise.all(lists.map((list) => inSlot(repeating, list))));
    if (repeating.read - before !== prefilled)
      throw new Error(
        `${repeating.read - before} tokens were prefilled, but a conversation prefilled ${prefilled}`,
      );
    const requests = bareRequests(subject, own / count, (prefilled / count + asked) / 2);
    const bare = await seconds(async () => writing.generate(requests));
    return {
      talked: even ? own / talked : 1e3 * full,
      whole: own / talked,
      bare: (together * requests[0].limit) / bare,
      repeated: own / repeated,
      read: prefilled / own,
    };
  };
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const start = now();
  await run();
  return (now() - start) / 1e3;
}

interface Wanted extends Request {
  /** The tokens of the conversation so far. */
  readonly text: readonly number[];
}

/** A request of a conversation to the generator. */
function requestsIn(spans: readonly Span[], seed: number): Wanted[] {
  let prompt: number[] = [];
  const requests: Wanted[] = [];
  for (const { tokens: text, turn } of spans) {
    if (turn !== undefined) requests.push({ prompt, seed: stream(seed, "turn", turn), limit, text });
    prompt = [...prompt, ...text];
  }
  return requests;
}

/** Repeats the requests in order, each with its recorded context. */
async function inSlot(live: LiveGenerator, requests: readonly Wanted[]): Promise<void> {
  const slot = await live.slot();
  for (const { text, ...request } of requests) {
    const { tokens: own } = await slot.write(request);
    if (own.length !== text.length) throw new Error(`${own.length} tokens instead of ${text.length}`);
  }
  slot.close();
}

/** Completions of one turn, from prompts of `length` tokens. */
function bareRequests({ start }: Subject, written: number, length: number): Request[] {
  const long = Math.round(length);
  const prompts = tokens(together * long, 1, start.options.vocabulary);
  return Array.from({ length: together }, (_, i) => ({
    prompt: [...prompts.subarray(i * long, (i + 1) * long)],
    seed: i,
    limit: Math.round(written),
  }));
}

/** A conversation on its own slot, as in a run. */
async function talkOn(subject: Subject, live: LiveGenerator, seed: number, onSlot: () => void) {
  const slot = await live.slot();
  onSlot();
  try {
    const problem = sampleProblem(subject.task, 1, "train", seed);
    const speaker = modelSpeaker(subject, slot, { seed });
    return await converse(problem, speaker, { ...subject, seed: stream(seed, "world") });
  } finally {
    slot.close();
  }
}
