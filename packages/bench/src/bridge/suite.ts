import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { columns, defaultRng, sampleValue, type VectorEnv, vectorise, writeValue } from "@reins/core";
import { gymnasium, inWorkers } from "@reins/envs/elsewhere";
import { readArguments } from "../arguments.ts";
import { python } from "../side.ts";
import { type Summary, summary } from "../stats.ts";
import slow from "./slow-env.ts";

export const bridgeHelp = `npm run bench -- bridge [options]

Steps environments that live elsewhere: Gymnasium's through the bridge beside Gymnasium's own SyncVectorEnv, and slow ones in worker
threads beside one thread, in turns.

  --rounds n      turns of each side (default: 15)
  --quick         three turns: a rough picture
  --json          the last line is one JSON object
  --help          this text

REINS_PYTHON names a Python interpreter that has gymnasium (see packages/bench/peers/README.md); python3 otherwise.`;

/** One side of a comparison: takes steps of all rows, and gives the seconds that they took. */
type Side = (steps: number) => number | Promise<number>;

interface Row {
  readonly name: string;
  readonly steps: number;
  readonly copies: number;
  readonly sides: { readonly [name: string]: Side };
  close(): void;
}

const peer = fileURLToPath(new URL("../../peers/gymnasium_vector.py", import.meta.url));

/** Steps with actions that are drawn beforehand. */
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

/** Measures every row in turns and prints it: steps a second of all copies together. */
export async function bridgeSuite(args: readonly string[]): Promise<void> {
  const { values, flags } = readArguments(args, ["--rounds"], ["--quick", "--json"]);
  const rounds = Number(values.get("--rounds") ?? (flags.has("--quick") ? 3 : 15));
  if (!(rounds >= 1)) throw new Error("--rounds is a whole number from 1.");
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
    // The first turn of each warms up.
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
