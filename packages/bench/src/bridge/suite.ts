import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { VectorEnv } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { gymnasium, inWorkers } from "@reins/envs/remote";
import { readArguments } from "../arguments.ts";
import { python } from "../side.ts";
import { type Summary, summary } from "../stats.ts";
import slow from "./slow-env.ts";

export const bridgeHelp = `npm run bench -- bridge [options]

Throughput of remote environments: Gymnasium's through the bridge against Gymnasium's SyncVectorEnv, and slow environments in worker
threads against one thread. The sides alternate.

  --rounds n      rounds of each side (default: 15)
  --quick         three rounds, for a rough estimate
  --json          print one JSON object as the last line
  --help          print this help

REINS_PYTHON: Python interpreter with gymnasium (default: python3). See packages/bench/peers/README.md.`;

/** One side of a comparison: steps all rows, and returns the seconds. */
type Side = (steps: number) => number | Promise<number>;

interface Row {
  readonly name: string;
  readonly steps: number;
  readonly copies: number;
  readonly sides: { readonly [name: string]: Side };
  close(): void;
}

const peer = fileURLToPath(new URL("../../peers/gymnasium_vector.py", import.meta.url));

/** Steps an environment with precomputed random actions. */
function stepping(env: VectorEnv): Side {
  const random = defaultRng(1);
  const { action: space } = env.spec;
  const drawn = Array.from({ length: 1024 }, () => {
    const action = columns(space, env.rows);
    for (let row = 0; row < env.rows; row++) writeValue(space, action, row, sampleValue(space, random));
    return action;
  });
  env.reset({ seed: 1 });
  return (steps) => {
    const began = performance.now();
    for (let t = 0; t < steps; t++) env.step(drawn[t % 1024]);
    return (performance.now() - began) / 1000;
  };
}

async function bridged(id: string, copies: number, steps: number): Promise<Row> {
  const env = gymnasium(id, { python: python() }).make(copies);
  const child = spawn(python(), [peer, id, String(copies)], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const own: Side = async (count) => {
    child.stdin.write(`${count}\n`);
    return Number((await lines.next()).value);
  };
  const close = () => {
    env.close?.();
    child.stdin.end();
  };
  return {
    name: `${id} × ${copies}`,
    steps,
    copies,
    sides: { bridge: stepping(env), SyncVectorEnv: own },
    close,
  };
}

function spread(microseconds: number, copies: number, workers: number): Row {
  const file = fileURLToPath(new URL("./slow-env.js", import.meta.url));
  const env = inWorkers(file, { workers, rows: copies, options: { microseconds } });
  const here = vectorise(() => slow({ microseconds }), copies);
  const name = `${microseconds} µs a step × ${copies}, ${workers} workers`;
  const steps = Math.round(2e5 / (microseconds + 10) / copies);
  const sides = { workers: stepping(env), "one thread": stepping(here) };
  return { name, steps, copies, sides, close: () => env.close?.() };
}

/** Measures and prints all rows: steps per second over all copies. */
export async function bridgeSuite(args: readonly string[]): Promise<void> {
  const { values, flags } = readArguments(args, ["--rounds"], ["--quick", "--json"]);
  const rounds = Number(values.get("--rounds") ?? (flags.has("--quick") ? 3 : 15));
  if (!(rounds >= 1)) throw new Error("--rounds must be a whole number of at least 1.");
  const found: object[] = [];
  for (const open of [
    () => bridged("CartPole-v1", 8, 2000),
    () => bridged("CartPole-v1", 64, 300),
    () => bridged("Pendulum-v1", 8, 1000),
    () => spread(5, 8, 2),
    () => spread(50, 8, 2),
    () => spread(500, 8, 2),
  ]) {
    const row = await open();
    const names = Object.keys(row.sides);
    const samples = names.map((): number[] => []);
    // The first round of each side warms up.
    for (let round = -1; round < rounds; round++)
      for (const [i, name] of names.entries()) {
        const seconds = await row.sides[name](row.steps);
        if (round >= 0) samples[i].push((row.steps * row.copies) / seconds);
      }
    row.close();
    const [ours, theirs] = samples.map(summary);
    const ratio = ours.median / theirs.median;
    process.stdout.write(
      `${row.name.padEnd(36)}${cell(names[0], ours)}${cell(names[1], theirs)}   ratio ${ratio.toFixed(2)}\n`,
    );
    found.push({ name: row.name, sides: { [names[0]]: ours, [names[1]]: theirs }, ratio });
  }
  if (flags.has("--json")) process.stdout.write(`${JSON.stringify(found)}\n`);
}

const cell = (name: string, { median, low, high }: Summary) => {
  const k = (x: number) => `${(x / 1000).toFixed(1)}k`;
  return `   ${name} ${k(median)} steps/s (${k(low)} to ${k(high)})`;
};
