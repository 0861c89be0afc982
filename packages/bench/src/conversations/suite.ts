import { backendInUse } from "@reins/tensor";
import { chosen, readArguments } from "../arguments.ts";
import { describeMachine, machine } from "../machine.ts";
import { type Summary, summary } from "../stats.ts";
import { clocks, setClock } from "./clock.ts";
import { gatewayCalls, type Way, ways } from "./gateway.ts";
import { manyTalks, together } from "./many.ts";
import { type SizeName, sizes } from "./subject.ts";
import { longTalk, type TurnCost, turns } from "./turns.ts";

const parts = ["gateway", "many", "turns"] as const;

export const conversationsHelp = `npm run bench -- conversations [--only ${parts.join(",")}] [--models tiny,small] [--rounds n] [--clock wall|processor] [--json]

What conversations cost, with random weights of two shapes in the style of Llama: tiny (2 layers, width 64) and small (4 layers, width 256).

gateway: milliseconds that a call of 16 tokens takes over HTTP on this machine (the client is fetch, in the same process) beyond the same text
in a lane of a generator in process, in turns. plain: calls of their own; streamed: the same as streams; growing: conversations of
8 turns. An empty server, called by the same client, shows what of this is HTTP. Replies must be the same, and where conversations grow, the gateway must read as many tokens as the lane. At most 2 ms.
many: tokens a second of ${together} conversations at a time, 8 turns of at most 32 tokens and 13 characters said to each. bare: the generator on
as many rows at the same mean length, without turns; the share of its speed is to be 80%. repeated: the same prompts turn by turn,
without any conversation around them. Even turns are all of 32 tokens; uneven ones end by chance, three conversations in each lane, and the share is that of the time in which there are ${together}; to the very end, the last lanes stand empty.
turns: tokens that are read, and milliseconds to the first and to the last token of a turn (of 16), in a conversation of ${turns} turns whose
caches are kept, beside the same without.

--clock processor counts the time of this process on the processor, for machines on which others work too; on a quiet one, both are nearly the same.
REINS_BACKEND and REINS_THREADS choose as they do for any program.`;

const number = (x: number) => (Math.abs(x) >= 1000 ? x.toFixed(0) : x.toPrecision(3));
const shown = ({ median, low, high }: Summary) => `${number(median)} (${number(low)}–${number(high)})`;
const mean = (x: readonly number[]) => x.reduce((sum, y) => sum + y, 0) / x.length;

/** Measures and prints. */
export async function conversationsSuite(args: readonly string[]): Promise<void> {
  const given = readArguments(args, ["--only", "--models", "--rounds", "--clock"], ["--json"]);
  const only = chosen(given, "--only", parts);
  const names = chosen(given, "--models", Object.keys(sizes) as SizeName[]);
  const rounds = Number(given.values.get("--rounds") ?? 9);
  if (!(Number.isInteger(rounds) && rounds >= 1)) throw new Error("--rounds is a whole number from 1.");
  const [clock] = chosen(given, "--clock", clocks);
  setClock(clock);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(
    `${describeMachine(where)}\n${backendInUse().name}, threads: ${process.env.REINS_THREADS ?? "all"}, ${clock} time`,
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
  // Samples are short, and the engine settles late.
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
