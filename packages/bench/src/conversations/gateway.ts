import { Context, gateway, type Lane, LiveGenerator, plainly } from "@reins/language";
import { now } from "./clock.ts";
import { emptyServer } from "./empty.ts";
import { generatorOf, type SizeName, type Subject, talkedTo, words } from "./subject.ts";

/** Conversations of a sample, and turns of each where they grow. */
const calls = 8;
const turns = 8;
const limit = 16;
const rows = 4;
const key = "bench";

/** Milliseconds a call of one round. */
export interface GatewaySample {
  readonly inside: number;
  readonly outside: number;
  /** Of a server that does nothing. */
  readonly empty: number;
}

/** How calls are made: one by one, as streams, or as conversations that grow. */
export const ways = ["plain", "streamed", "growing"] as const;

/** One of them. */
export type Way = (typeof ways)[number];

/** A reply, its tokens where they are known, and how many were read for it. */
interface Replied {
  readonly text: string;
  readonly written?: readonly number[];
  readonly read: number;
}

/** Who replies to a conversation. */
type Replier = (context: Context, seed: number) => Promise<Replied>;

/** Calls over HTTP on this machine, beside the same texts written in a lane of a generator like the gateway's. */
export async function gatewayCalls(name: SizeName, way: Way) {
  const subject = talkedTo(name, turns, limit);
  const { tokenizer } = subject;
  const own = new gateway.Gateway({ ...subject, rows, limit });
  const served = await gateway.serveGateway(own);
  const nobody = await emptyServer();
  const live = new LiveGenerator(generatorOf(subject, { rows }));
  const talks = way === "growing" ? 2 : calls;
  const each = way === "growing" ? turns : 1;
  let round = 0;

  /** Milliseconds a call, and what was said and read. */
  async function timed(begin: () => Promise<[Replier, () => void]>): Promise<[number, string]> {
    let spent = 0;
    const said: string[] = [];
    for (let i = 0; i < talks; i++) {
      const [reply, end] = await begin();
      const context = new Context(plainly(tokenizer), [{ role: "user", content: question(round, i) }]);
      for (let turn = 0; turn < each; turn++) {
        const start = now();
        const { text, written, read } = await reply(context, 100 * i + turn);
        spent += now() - start;
        said.push(`${text} ${each > 1 ? read : ""}`);
        const tokens = written ?? tokenizer.encode(text);
        context.write({ role: "assistant", content: text }, "policy", { tokens });
        context.tell([{ role: "user", content: words }]);
      }
      end();
    }
    return [spent / (talks * each), said.join("\n")];
  }

  const inside = async (): Promise<[Replier, () => void]> => {
    const lane = await live.lane();
    return [inLane(lane, live, subject), () => lane.close()];
  };
  const outside = async (): Promise<[Replier, () => void]> => {
    const session = own.open(key);
    return [overHttp(served.baseURL, way === "streamed"), () => own.close(session)];
  };
  return {
    async close(): Promise<void> {
      nobody.close();
      await served.close();
    },
    async round(): Promise<GatewaySample> {
      live.forget();
      own.forget();
      round++;
      // Who is first changes from round to round.
      const first = round % 2 ? inside : outside;
      const [a, b] = [await timed(first), await timed(round % 2 ? outside : inside)];
      if (a[1] !== b[1]) throw new Error(`not the same replies or readings:\n${a[1]}\n\n${b[1]}`);
      const [one, other] = round % 2 ? [a, b] : [b, a];
      return { inside: one[0], outside: other[0], empty: await nobody.round(calls) };
    },
  };
}

const question = (round: number, i: number) =>
  Array.from({ length: 24 }, (_, j) =>
    String.fromCharCode(97 + ((7 * round + 5 * i + j * (i + 3)) % 26)),
  ).join("");

const inLane =
  (lane: Lane, live: LiveGenerator, { tokenizer, start }: Subject): Replier =>
  async ({ tokens: prompt }, seed) => {
    const before = live.read;
    const room = start.options.context - prompt.length;
    const { tokens } = await lane.write({ prompt, seed, limit: Math.min(limit, room) });
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
    // The last token of a prompt is stepped from: it is neither cached nor read.
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
