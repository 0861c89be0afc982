import { type ChildProcess, fork } from "node:child_process";
import { loadavg } from "node:os";
import { chosen, readArguments } from "../arguments.ts";
import { describeMachine, machine } from "../machine.ts";
import { type Summary, summary } from "../stats.ts";
import { client, concurrently, type Timing } from "./clients.ts";
import type { ServerRequest } from "./server.ts";
import { promptTokens, type SizeName, workload } from "./subject.ts";

const parts = ["first-token", "throughput", "memory"] as const;
const { prompt, reply, clients } = workload;

export const servingHelp = `npm run bench -- serving [--only ${parts.join(",")}] [--rounds n] [--requests n] [--json]

A model of 11 million parameters with random weights (6 layers, width 384) behind reins serve's engine, in a process of its own; clients
in this process, over HTTP on this machine. Prompts of ${prompt} random tokens, all different, greedy replies of ${reply} tokens.

first-token: milliseconds to the first token of a streamed reply on an idle server. Limit: 50 ms.
throughput: tokens per second of ${clients} clients, streamed and not, as a share of the generator's own on ${clients} rows with the same number of
requests, in alternating rounds (default 5). Limit: 90%. With the median and the 95th percentile of the time to the first token and of a whole
reply. Shares by processor time of the server are given too: they depend less on other programs.
memory: a model of one layer answers --requests requests (default 100,000) of ${clients} clients, every eighth streamed. Heap after collection and
resident memory at each tenth. Limit: the heap grows by less than 10% from the second tenth to the last.

REINS_BACKEND and REINS_THREADS (default 1) select the back end and the number of threads of the server.`;

const limits = { first: 50, share: 0.9, growth: 1.1 };

/** Measures and prints. */
export async function servingSuite(args: readonly string[]): Promise<void> {
  const given = readArguments(args, ["--only", "--rounds", "--requests"], ["--json"]);
  const only = chosen(given, "--only", parts);
  const count = (flag: string, otherwise: number): number => {
    const value = Number(given.values.get(flag) ?? otherwise);
    if (!(Number.isInteger(value) && value >= 1))
      throw new Error(`${flag} must be a whole number of at least 1.`);
    return value;
  };
  const [rounds, requests] = [count("--rounds", 5), count("--requests", 100_000)];
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(`${describeMachine(where)}\nload ${loadavg()[0].toFixed(1)} at the start`);
  const results: Record<string, { readonly met: boolean }> = {};
  if (only.includes("first-token")) results["first-token"] = await firstToken(10 * rounds, say);
  if (only.includes("throughput")) results.throughput = await throughput(rounds, say);
  if (only.includes("memory")) results.memory = await memory(requests, say);
  if (Object.values(results).some(({ met }) => !met)) process.exitCode = 1;
  if (given.flags.has("--json")) say(JSON.stringify({ suite: "serving", machine: where, results }));
}

const shown = ({ median, low, high }: Summary, digits = 1) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
const verdict = (met: boolean) => (met ? "met" : "NOT met");
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** A server in a process of its own. */
async function startServer(size: SizeName) {
  const child: ChildProcess = fork(new URL("./server.js", import.meta.url), [size], {
    execArgv: ["--expose-gc"],
    env: { REINS_THREADS: "1", ...process.env },
  });
  const answer = <T>(): Promise<T> =>
    new Promise((done, failed) => {
      const ended = (code: number | null) => failed(new Error(`the server ended with code ${code}.`));
      child.once("message", (value) => {
        child.off("exit", ended);
        done(value as T);
      });
      child.once("exit", ended);
    });
  const { baseURL, vocabulary } = await answer<{ baseURL: string; vocabulary: number }>();
  return {
    baseURL,
    vocabulary,
    ask<T>(message: ServerRequest): Promise<T> {
      const answered = answer<T>();
      child.send(message);
      return answered;
    },
    stop: () => child.kill(),
  };
}

const bodyOf = (index: number, vocabulary: number, stream: boolean, length: number = reply) => ({
  model: "bench",
  prompt: promptTokens(index, vocabulary),
  max_tokens: length,
  ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
});

async function firstToken(count: number, say: (text: string) => void) {
  const server = await startServer("medium");
  const { send, close } = client(server.baseURL, 1);
  const samples: number[] = [];
  const processor: number[] = [];
  for (let i = 0; i < count + 10; i++) {
    const before = await server.ask<number>({ ask: "processor" });
    const { first } = await send("/completions", bodyOf(1e6 + i, server.vocabulary, true, 1));
    const after = await server.ask<number>({ ask: "processor" });
    // The first ones compile.
    if (i < 10) continue;
    samples.push(first);
    processor.push(1000 * (after - before));
  }
  close();
  server.stop();
  const times = summary(samples);
  const met = times.median < limits.first;
  say(
    `\nTime to the first token, idle server, ${count} requests\n  ${shown(times)} ms, 95th percentile ${percentile(samples, 0.95).toFixed(1)} ms; under ${limits.first} ms: ${verdict(met)}\n  processor time of the server ${shown(summary(processor))} ms`,
  );
  return { met, milliseconds: times, p95: percentile(samples, 0.95), processor: summary(processor) };
}

async function throughput(rounds: number, say: (text: string) => void) {
  const server = await startServer("medium");
  const { send, close } = client(server.baseURL, clients);
  const requests = 4 * clients;
  let used = 0;
  const rates = { bare: [] as number[], plain: [] as number[], streamed: [] as number[] };
  const busy = { bare: [] as number[], plain: [] as number[], streamed: [] as number[] };
  const timings: Timing[] = [];
  const round = async (way: "plain" | "streamed") => {
    const from = used;
    used += requests;
    const before = await server.ask<number>({ ask: "processor" });
    const { timings: all, seconds } = await concurrently(clients, requests, (i) =>
      send("/completions", bodyOf(from + i, server.vocabulary, way === "streamed")),
    );
    const processor = (await server.ask<number>({ ask: "processor" })) - before;
    return { all, seconds, processor, tokens: all.reduce((sum, t) => sum + t.tokens, 0) };
  };
  for (let i = -1; i < rounds; i++) {
    const bare = await server.ask<{ tokens: number; seconds: number; processor: number }>({
      ...{ ask: "bare", requests, round: 1000 + i },
    });
    const [plain, streamed] = [await round("plain"), await round("streamed")];
    // The first round compiles.
    if (i < 0) continue;
    for (const [way, r] of Object.entries({ bare, plain, streamed })) {
      rates[way as "bare"].push(r.tokens / r.seconds);
      busy[way as "bare"].push(r.tokens / r.processor);
    }
    timings.push(...streamed.all);
  }
  close();
  server.stop();
  const shares = (of: typeof rates, way: "plain" | "streamed") =>
    summary(of[way].map((r, i) => r / of.bare[i]));
  const [plain, streamed] = [shares(rates, "plain"), shares(rates, "streamed")];
  const met = plain.median >= limits.share && streamed.median >= limits.share;
  const times = (which: "first" | "whole") => {
    const all = timings.map((t) => t[which]);
    return `${percentile(all, 0.5).toFixed(0)} ms, 95th percentile ${percentile(all, 0.95).toFixed(0)} ms`;
  };
  say(`\n${clients} clients, ${requests} requests a round, ${rounds} rounds`);
  say(`  generator  ${shown(summary(rates.bare), 0)} tokens/s`);
  say(`  server     ${shown(summary(rates.plain), 0)} tokens/s, ${shown(plain, 2)} of the generator`);
  say(`  streamed   ${shown(summary(rates.streamed), 0)} tokens/s, ${shown(streamed, 2)} of the generator`);
  say(`  at least ${limits.share}: ${verdict(met)}`);
  say(
    `  by processor time of the server: ${shown(shares(busy, "plain"), 2)}, streamed ${shown(shares(busy, "streamed"), 2)}`,
  );
  say(`  streamed: first token ${times("first")}; whole reply ${times("whole")}`);
  return { met, rates, plain, streamed, first: times("first"), whole: times("whole") };
}

async function memory(requests: number, say: (text: string) => void) {
  const server = await startServer("tiny");
  const { send, close } = client(server.baseURL, clients);
  const step = Math.ceil(requests / 10);
  const heaps: number[] = [];
  say(`\nMemory over ${requests} requests of ${clients} clients`);
  const begun = performance.now();
  for (let part = 0; part < 10; part++) {
    await concurrently(clients, step, (i) =>
      send("/completions", bodyOf(part * step + i, server.vocabulary, i % 8 === 0, 4)),
    );
    const { heapUsed, rss } = await server.ask<NodeJS.MemoryUsage>({ ask: "memory" });
    heaps.push(heapUsed);
    say(
      `  ${(part + 1) * step}: heap ${(heapUsed / 2 ** 20).toFixed(1)} MiB, resident ${(rss / 2 ** 20).toFixed(0)} MiB`,
    );
  }
  const seconds = (performance.now() - begun) / 1000;
  close();
  server.stop();
  const growth = heaps[9] / heaps[1];
  const met = growth < limits.growth;
  say(
    `  ${(requests / seconds).toFixed(0)} requests/s; the last heap is ${growth.toFixed(2)} of the second: ${verdict(met)}`,
  );
  return { met, heaps, growth };
}
