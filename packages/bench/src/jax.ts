import { sizes } from "./benchmarks.ts";
import { readRequest, serve } from "./child.ts";
import { provideWorkers } from "./jax/workers.ts";
import { sample, type Timed, warmUp } from "./sample.ts";

// Before jax-js is loaded: it checks for workers only once.
const { threads } = readRequest(process.argv.slice(2));
if (threads > 1) provideWorkers(threads);
const jax = await import("@jax-js/jax");
const { version, work } = await import("./jax/peer.ts");

/** The jax-js side of a benchmark: the fastest of synchronous and asynchronous reads, with and without workers. */
await serve(async ({ name, small, seconds }) => {
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  const { call, settle } = work(sizes[name][small ? "small" : "full"]);
  const values: number[] = [];
  for (let step = 0; step < 5; step++) {
    const data = call().dataSync();
    for (let i = 0; i < Math.min(16, data.length); i++) values.push(data[(i * 64901) % data.length]);
  }
  const ways: [string, Timed][] = [
    [
      threads > 1 ? "workers" : "asynchronous, one thread",
      { run: () => call().data(), asynchronous: true, finish: settle },
    ],
    ["synchronous, one thread", { run: () => call().dataSync() }],
  ];
  const times: number[] = [];
  for (const [, timed] of ways) {
    const calls = await warmUp(timed, seconds);
    times.push(Math.min(...(await sample(timed, calls, seconds))));
  }
  const [how, timed] = ways[times[0] < times[1] ? 0 : 1];
  return { timed, ready: { version: version(), values, how } };
});
