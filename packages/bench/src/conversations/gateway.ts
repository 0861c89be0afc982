import { ConversationContext, gateway, LiveGenerator, plainFormat, type Slot } from "@reins/language";
import { now } from "./clock.ts";
import { emptyServer } from "./empty.ts";
import { generatorOf, type SizeName, type Subject, talkedTo, words } from "./subject.ts";

/** Conversations of a sample, and turns of growing ones. */
const calls = 8;
const turns = 8;
const limit = 16;
const rows = 4;
const key = "bench";

/** Milliseconds per call in one round. */
export interface GatewaySample {
  readonly inside: number;
  readonly outside: number;
  /** An empty server. */
  readonly empty: number;
}

/** Kinds of calls: independent, streaming, or growing conversations. */
export const ways = ["plain", "streamed", "growing"] as const;

/** A kind of call. */
export type Way = (typeof ways)[number];

/** A reply, its tokens if known, and the number of prefilled tokens. */
interface Replied {
  readonly text: string;
  readonly written?: readonly number[];
  readonly read: number;
}

/** Replies to a conversation. */
type Replier = (context: ConversationContext, seed: number) => Promise<Replied>;

/** Calls over HTTP on this machine, against the same completions in a slot of a generator like the gateway's. */
export async function gatewayCalls(name: SizeName, way: Way) {
  const subject = talkedTo(name, turns, limit);
  const { tokenizer } = subject;
  const own = new gateway.Gateway({ ...subject, rows, limit });
  const served = await gateway.serveGateway(own);
  const empty = await emptyServer();
  const live = new LiveGenerator(generatorOf(subject, { rows }));
  const talks = way === "growing" ? 2 : calls;
  const each = way === "growing" ? turns : 1;
  let round = 0;

  /** Milliseconds per call, and the replies with prefilled tokens. */
  async function timed(begin: () => Promise<[Replier, () => void]>): Promise<[number, string]> {
    let spent = 0;
    const said: string[] = [];
    for (let i = 0; i < talks; i++) {
      const [reply, end] = await begin();
      const context = new ConversationContext(plainFormat(tokenizer), [
        { role: "user", content: question(round, i) },
      ]);
      for (let turn = 0; turn < each; turn++) {
        const start = now();
        const { text, written, read } = await reply(context, 100 * i + turn);
        spent += now() - start;
        said.push(`${text} ${each > 1 ? read : ""}`);
        const tokens = written ?? tokenizer.encode(text);
        context.write({ role: "assistant", content: text }, { by: "policy", tokens });
        context.append([{ role: "user", content: words }]);
      }
      end();
    }
    return [spent / (talks * each), said.join("\n")];
  }

  const inside = async (): Promise<[Replier, () => void]> => {
    const slot = await live.slot();
    return [inLane(slot, live, subject), () => slot.close()];
  };
  const outside = async (): Promise<[Replier, () => void]> => {
    const session = own.open(key);
    return [overHttp(served.baseURL, way === "streamed"), () => own.close(session)];
  };
  return {
    async close(): Promise<void> {
      empty.close();
      await served.close();
    },
    async round(): Promise<GatewaySample> {
      live.forget();
      own.forget();
      round++;
      // The order alternates between rounds.
      const first = round % 2 ? inside : outside;
      const [a, b] = [await timed(first), await timed(round % 2 ? outside : inside)];
      if (a[1] !== b[1]) throw new Error(`replies or prefilled tokens differ:\n${a[1]}\n\n${b[1]}`);
      const [one, other] = round % 2 ? [a, b] : [b, a];
      return { inside: one[0], outside: other[0], empty: await empty.round(calls) };
    },
  };
}

const question = (round: number, i: number) =>
  Array.from({ length: 24 }, (_, j) =>
    String.fromCharCode(97 + ((7 * round + 5 * i + j * (i + 3)) % 26)),
  ).join("");

const inLane =
  (slot: Slot, live: LiveGenerator, { tokenizer, start }: Subject): Replier =>
  async ({ tokens: prompt }, seed) => {
    const before = live.read;
    const room = start.options.context - prompt.length;
    const { tokens } = await slot.write({ prompt, seed, limit: Math.min(limit, room) });
    return { text: tokenizer.decode(tokens), written: tokens, read: live.read - before };
  };

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

function overHttp(baseURL: string, stream: boolean): Replier {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return async ({ messages }, seed) => {
    const body = JSON.stringify({ model: "reins", messages, seed, stream });
    const response = await fetch(`${baseURL}/chat/completions`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    if (stream) return { text: streamed(text), read: 0 };
    const { choices, usage } = JSON.parse(text) as Completion;
    // The last prompt token is part of the first decoding step: it is neither cached nor prefilled.
    const read = usage.prompt_tokens - 1 - usage.prompt_tokens_details.cached_tokens;
    return { text: choices[0].message.content, read };
  };
}

const streamed = (events: string) =>
  events
    .split("\n\n")
    .filter((e) => e.startsWith("data: {"))
    .map((e) => JSON.parse(e.slice(6)).choices[0].delta.content ?? "")
    .join("");
