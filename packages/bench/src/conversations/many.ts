import { stream } from "@reins/core";
import {
  type Conversation,
  converse,
  draw,
  LiveGenerator,
  modelSpeaker,
  type Request,
  TextGenerator,
  type TurnPassage,
} from "@reins/language";
import { tokens } from "../noise.ts";
import { now } from "./clock.ts";
import { asked, generatorOf, type SizeName, type Subject, talkedTo } from "./subject.ts";

/** Conversations at a time. */
export const together = 64;

const turns = 8;
const limit = 32;

/** Tokens a second of one round. */
export interface ManySample {
  /** Written in conversations, as long as there are 64 of them. */
  readonly talked: number;
  /** The same to the end of the last one, when most lanes stand empty. */
  readonly whole: number;
  /** Written by the generator on as many rows at the same mean length, without any turns. */
  readonly bare: number;
  /** Written by the generator with the same prompts in the same turns, without any conversation. */
  readonly repeated: number;
  /** Tokens read for each that was written. */
  readonly read: number;
}

/**
 * 64 conversations at a time, beside the generator's own speed. Even turns are all as long as they may be, so that all conversations are
 * answered at the same moments; uneven ones end by chance, and three conversations follow on each other in a lane: the clock stops when
 * the last of them has got its lane, since there are no 64 after that.
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
    const onLane = () => {
      if (++begun === count && !even) full = (talking.tokens - written) / (now() - start);
    };
    // The same conversations in every round: all that there is to compile is compiled in the first.
    const talked = await seconds(async () => {
      const all = Array.from({ length: count }, (_, i) => talkOn(subject, talking, i, onLane));
      held = await Promise.all(all);
    });
    const [own, heard] = [talking.tokens - written, talking.read - read];
    repeating.forget();
    const before = repeating.read;
    const lists = held.map(({ scenes: [{ passages }] }, i) => requestsIn(passages, i));
    const repeated = await seconds(() => Promise.all(lists.map((list) => inLane(repeating, list))));
    if (repeating.read - before !== heard)
      throw new Error(`${repeating.read - before} tokens were read where a conversation read ${heard}`);
    const requests = bareRequests(subject, own / count, (heard / count + asked) / 2);
    const bare = await seconds(async () => writing.generate(requests));
    return {
      talked: even ? own / talked : 1e3 * full,
      whole: own / talked,
      bare: (together * requests[0].limit) / bare,
      repeated: own / repeated,
      read: heard / own,
    };
  };
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const start = now();
  await run();
  return (now() - start) / 1e3;
}

interface Wanted extends Request {
  /** What the conversation had here. */
  readonly text: readonly number[];
}

/** What the generator was asked for in a conversation. */
function requestsIn(passages: readonly TurnPassage[], seed: number): Wanted[] {
  let prompt: number[] = [];
  const requests: Wanted[] = [];
  for (const { tokens: text, turn } of passages) {
    if (turn !== undefined) requests.push({ prompt, seed: stream(seed, "turn", turn), limit, text });
    prompt = [...prompt, ...text];
  }
  return requests;
}

/** Writes them one after another, each from what the conversation was then. */
async function inLane(live: LiveGenerator, requests: readonly Wanted[]): Promise<void> {
  const lane = await live.lane();
  for (const { text, ...request } of requests) {
    const { tokens: own } = await lane.write(request);
    if (own.length !== text.length) throw new Error(`${own.length} tokens instead of ${text.length}`);
  }
  lane.close();
}

/** Texts of one turn, from prompts of so many tokens. */
function bareRequests({ start }: Subject, written: number, length: number): Request[] {
  const long = Math.round(length);
  const prompts = tokens(together * long, 1, start.options.vocabulary);
  return Array.from({ length: together }, (_, i) => ({
    prompt: [...prompts.subarray(i * long, (i + 1) * long)],
    seed: i,
    limit: Math.round(written),
  }));
}

/** A conversation on a lane of its own, as a run holds it. */
async function talkOn(subject: Subject, live: LiveGenerator, seed: number, onLane: () => void) {
  const lane = await live.lane();
  onLane();
  try {
    const problem = draw(subject.family, 1, "train", seed);
    const speaker = modelSpeaker(subject, lane, { seed });
    return await converse(problem, speaker, { ...subject, seed: stream(seed, "world") });
  } finally {
    lane.close();
  }
}
