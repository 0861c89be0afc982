import { currentBackend } from "@reins/tensor";
import { chosen, readArguments } from "../arguments.ts";
import { describeMachine, machine } from "../machine.ts";
import { type Summary, summary } from "../stats.ts";
import { clocks, setClock } from "./clock.ts";
import { gatewayCalls, type Way, ways } from "./gateway.ts";
import { manyTalks, together } from "./parallel.ts";
import { type SizeName, sizes } from "./subject.ts";
import { longTalk, type TurnCost, turns } from "./turns.ts";

const parts = ["gateway", "many", "turns"] as const;

export const conversationsHelp = `npm run bench -- conversations [--only ${parts.join(",")}] [--models tiny,small] [--rounds n] [--clock wall|processor] [--json]

Overhead of multi-turn conversations, with random weights of two Llama-style models: tiny (2 layers, width 64) and small (4 layers, width 256).

gateway: milliseconds of a completion of 16 tokens over HTTP on this machine (client: fetch in the same process), in addition to the same
completion in a slot of an in-process generator. plain: independent calls; streamed: streaming responses; growing: conversations of
8 turns. An empty server with the same client shows the share of HTTP. Replies must be equal, and in growing conversations the gateway
must prefill as many tokens as the slot. Limit: 2 ms.
many: tokens per second of ${together} concurrent conversations, with 8 turns of at most 32 tokens and replies of 13 characters. bare: the
generator on as many rows at the same mean length, without turns; conversations must reach 80% of it. repeated: the same prompts turn by
turn, without conversations. Even turns all have 32 tokens; uneven turns end at random, with three conversations per slot, and count only
while ${together} conversations are active.
turns: prefilled tokens, and milliseconds to the first and last token of a turn of 16 tokens, in a conversation of ${turns} turns, with and
without KV cache reuse.

--clock processor measures CPU time of this process, for busy machines; on an idle machine both clocks agree.
REINS_BACKEND and REINS_THREADS select the backend and the number of threads.`;

const number = (x: number) => (Math.abs(x) >= 1000 ? x.toFixed(0) : x.toPrecision(3));
const shown = ({ median, low, high }: Summary) => `${number(median)} (${number(low)}–${number(high)})`;
const mean = (x: readonly number[]) => x.reduce((sum, y) => sum + y, 0) / x.length;

/** Measures and prints. */
export async function conversationsSuite(args: readonly string[]): Promise<void> {
  const given = readArguments(args, ["--only", "--models", "--rounds", "--clock"], ["--json"]);
  const only = chosen(given, "--only", parts);
  const names = chosen(given, "--models", Object.keys(sizes) as SizeName[]);
  const rounds = Number(given.values.get("--rounds") ?? 9);
  if (!(Number.isInteger(rounds) && rounds >= 1))
    throw new Error("--rounds must be a whole number of at least 1.");
  const [clock] = chosen(given, "--clock", clocks);
  setClock(clock);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(
    `${describeMachine(where)}\n${currentBackend().name}, threads: ${process.env.REINS_THREADS ?? "all"}, ${clock} time`,
  );
  const results: object[] = [];
  const note = (row: object) => {
    results.push(row);
    const cells = Object.entries(row).map(([k, v]) =>
      typeof v === "object" ? `${k} ${shown(v as Summary)}` : typeof v === "number" ? `${k} ${number(v)}` : v,
    );
    say(cells.join("  "));
  };
  for (const model of names) {
    if (only.includes("gateway"))
      for (const way of ways)
        note({ part: "gateway", model, way, ...(await gatewayRow(model, way, rounds)) });
    if (only.includes("many"))
      for (const pace of ["even", "uneven"])
        note({ part: "many", model, pace, ...(await manyRow(model, pace === "even", rounds)) });
    if (only.includes("turns"))
      for (const row of await turnRows(model, rounds)) note({ part: "turns", model, ...row });
  }
  if (given.flags.has("--json")) say(JSON.stringify({ suite: "conversations", machine: where, results }));
}

async function sampled<T>(round: () => Promise<T>, warm: number, rounds: number): Promise<T[]> {
  for (let i = 0; i < warm; i++) await round();
  const samples: T[] = [];
  for (let i = 0; i < rounds; i++) samples.push(await round());
  return samples;
}

async function gatewayRow(model: SizeName, way: Way, rounds: number) {
  const { round, close } = await gatewayCalls(model, way);
  // Samples are short, and the JavaScript engine needs a long warm-up.
  const samples = await sampled(round, 100, 5 * rounds);
  await close();
  const of = (x: (s: (typeof samples)[number]) => number) => summary(samples.map(x));
  return {
    "ms in process": of((s) => s.inside),
    "over HTTP": of((s) => s.outside),
    more: of((s) => s.outside - s.inside),
    "an empty server": of((s) => s.empty),
  };
}

async function manyRow(model: SizeName, even: boolean, rounds: number) {
  const samples = await sampled(manyTalks(model, even), 1, rounds);
  const of = (x: (s: (typeof samples)[number]) => number) => summary(samples.map(x));
  return {
    "tokens/s": of((s) => s.talked),
    bare: of((s) => s.bare),
    share: of((s) => s.talked / s.bare),
    "to the very end": of((s) => s.whole / s.bare),
    "of repeated": of((s) => s.whole / s.repeated),
    "read a token": samples[0].read,
  };
}

async function turnRows(model: SizeName, rounds: number) {
  const samples = await sampled(longTalk(model), 1, Math.ceil(rounds / 3));
  const stretches = [
    { span: "1-10", from: 0, to: 10 },
    { span: "41-50", from: turns - 10, to: turns },
    { span: "all", from: 0, to: turns },
  ];
  return (["kept", "anew"] as const).flatMap((caches) =>
    stretches.map(({ span, from, to }) => {
      const of = (x: (c: TurnCost) => number) =>
        summary(samples.map((s) => mean(s[caches].slice(from, to).map(x))));
      return {
        caches,
        span,
        "read a turn": of((c) => c.read).median,
        "ms to first": of((c) => c.first),
        "ms a turn": of((c) => c.whole),
      };
    }),
  );
}
