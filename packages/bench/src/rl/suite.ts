import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reason } from "../compare.ts";
import { describeMachine, machine } from "../machine.ts";
import { describeResult, describeTotal, header } from "../report.ts";
import { convert, type Result } from "../result.ts";
import { connect, python, relaxedSimd, type Side } from "../side.ts";
import { type Summary, summary } from "../stats.ts";
import { type Peer, type RlBenchmark, rlBenchmarks } from "./benchmarks.ts";
import type { RlOptions } from "./options.ts";

type Backend = "native" | "wasm";
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The suite of reinforcement learning: prints each row as it is measured. */
export async function rlSuite(options: RlOptions): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(`${describeMachine(where)}\n\n${header}`);
  const results: Result[] = [];
  for (const benchmark of rlBenchmarks.filter((b) => options.only.includes(b.name)))
    for (const backend of benchmark.backends.filter((b) => options.backends.includes(b)))
      for (const result of await measure(benchmark, backend, options)) {
        results.push(result);
        say(describeResult(result));
      }
  say(`\n${describeTotal(results)}`);
  if (results.some((r) => r.ours === null)) process.exitCode = 1;
  if (options.json) say(JSON.stringify({ suite: "rl", machine: where, results }));
}

/** One row for each available peer, or one without a peer. */
async function measure(benchmark: RlBenchmark, backend: Backend, options: RlOptions): Promise<Result[]> {
  if (benchmark.name === "heap") return [alone(benchmark, backend, heap(backend))];
  if (benchmark.name.startsWith("compile-"))
    return [alone(benchmark, backend, firstRounds(benchmark.name.slice(8), backend, options.rounds))];
  if (benchmark.name.startsWith("solve")) return solveRows(benchmark, backend, options);
  // In sequence: the second must not warm up while the first is measured.
  const ours = await startOurs(benchmark.name, backend, options).catch(reason);
  const peers: (readonly [Peer, Side | string])[] = [];
  for (const peer of benchmark.peers)
    peers.push([peer, await startPeer(peer, benchmark.name, options).catch(reason)]);
  const sides = [ours, ...peers.map(([, side]) => side)];
  const samples: number[][] = sides.map(() => []);
  for (let round = 0; round < options.rounds; round++)
    for (const [i, side] of sides.entries())
      if (typeof side !== "string") samples[i].push(...(await side.round()));
  for (const side of sides) if (typeof side !== "string") side.stop();
  const [own, ...others] = samples.map((s) => (s.length ? summary(s) : undefined));
  const rows = peers.map(([peer, side], i) =>
    row(
      benchmark,
      backend,
      own,
      peer,
      others[i],
      i === 0,
      typeof side === "string" ? side : side.ready.version,
    ),
  );
  return rows.length ? rows : [alone(benchmark, backend, own && [own])];
}

function startOurs(name: string, backend: Backend, { seconds }: RlOptions): Promise<Side> {
  const flags = backend === "wasm" && relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const env = { ...process.env, REINS_BACKEND: backend, REINS_THREADS: "1", REINS_QUIET: "1" };
  return connect(
    spawn(
      process.execPath,
      [...flags, here("reins-process.js"), "--only", name, "--seconds", String(seconds)],
      {
        env,
      },
    ),
  );
}

function startPeer(peer: Peer, name: string, options: RlOptions): Promise<Side> {
  if (peer === "mujoco") return startOurs(name.replace(/^env/, peer), "native", options);
  const { seconds, rounds } = options;
  const args = [
    "--peer",
    peer,
    "--only",
    name,
    "--threads",
    "1",
    "--seconds",
    String(seconds),
    "--rounds",
    String(rounds),
    "--wait",
  ];
  return connect(spawn(python(), [here("../../peers/rl.py"), ...args]));
}

const perSecond = (seconds: number) => 1 / seconds;

/** A rate against a peer's. */
function row(
  b: RlBenchmark,
  backend: Backend,
  own: Summary | undefined,
  peer: Peer,
  other: Summary | undefined,
  first: boolean,
  note: string,
): Result {
  const inUnit = b.unit === "steps/s" ? perSecond : (s: number) => s;
  const [a, o] = [own && convert(own, inUnit), other && convert(other, inUnit)];
  const ratio = own && other ? other.median / own.median : null;
  const floor = (first ? b.ratio?.[backend] : backend === "native" && b.others?.[peer]) || null;
  const bounded =
    first && b.bound !== undefined && a
      ? b.unit === "steps/s"
        ? a.value >= b.bound
        : a.value <= b.bound
      : null;
  return {
    name: b.name,
    backend,
    threads: 1,
    unit: b.unit,
    ours: a?.value ?? null,
    peer: o?.value ?? null,
    peerName: peer,
    ratio,
    spread: { ours: a?.spread ?? null, peer: o?.spread ?? null },
    floor: floor ?? (first && b.bound !== undefined ? b.bound : null),
    met: floor !== null ? (ratio === null ? null : ratio >= floor) : bounded,
    note: other ? `against ${peer}: ${note}` : `${peer} unavailable: ${note}`,
  };
}

/** A number without a peer; `met` if it is within its bound. */
function alone(b: RlBenchmark, backend: Backend, found: Summary[] | string | undefined): Result {
  const own = typeof found === "string" ? undefined : found?.[0];
  const a =
    own &&
    (b.unit === "steps/s"
      ? convert(own, perSecond)
      : { value: own.median, spread: [own.low, own.high] as const });
  const met =
    a && b.bound !== undefined ? (b.unit === "steps/s" ? a.value >= b.bound : a.value <= b.bound) : null;
  return {
    name: b.name,
    backend,
    threads: 1,
    unit: b.unit,
    ours: a?.value ?? null,
    peer: null,
    peerName: null,
    ratio: null,
    spread: { ours: a?.spread ?? null, peer: null },
    floor: b.bound ?? null,
    met,
    note: typeof found === "string" ? found : undefined,
  };
}

/** Megabytes of heap allocated in a million steps. */
function heap(backend: Backend): Summary[] | string {
  const flags = [
    "--expose-gc",
    "--no-memory-reducer",
    "--max-semi-space-size=512",
    "--min-semi-space-size=512",
  ];
  const env = { ...process.env, REINS_BACKEND: backend, REINS_THREADS: "1", REINS_QUIET: "1" };
  const child = spawnSync(process.execPath, [...flags, here("heap.js")], { env, encoding: "utf8" });
  if (child.status !== 0) return child.stderr.trim().split("\n").pop() ?? "failed";
  const { megabytes, collections } = JSON.parse(child.stdout.trim().split("\n").pop()!);
  return collections
    ? `${collections} collections happened: not a measurement`
    : [{ median: megabytes, low: megabytes, high: megabytes }];
}

/** Seconds to the first update, each in a new process with an empty kernel cache. */
function firstRounds(name: string, backend: Backend, rounds: number): Summary[] | string {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const cold = mkdtempSync(join(tmpdir(), "reins-cold-"));
    const env = { ...process.env, REINS_BACKEND: backend, REINS_QUIET: "1", REINS_CACHE: cold };
    const child = spawnSync(process.execPath, [here("first-round.js"), name], { env, encoding: "utf8" });
    rmSync(cold, { recursive: true });
    if (child.status !== 0) return child.stderr.trim().split("\n").pop() ?? "failed";
    times.push(JSON.parse(child.stdout.trim().split("\n").pop()!).seconds);
  }
  return [summary(times)];
}

/** Whole processes, each with its own seed. */
async function solveRows(b: RlBenchmark, backend: Backend, options: RlOptions): Promise<Result[]> {
  const times: number[] = [];
  const unsolved: number[] = [];
  for (let seed = 100; seed < 100 + options.rounds; seed++) {
    const cold = b.name.endsWith("cold") ? mkdtempSync(join(tmpdir(), "reins-cold-")) : undefined;
    const env = {
      ...process.env,
      REINS_BACKEND: backend,
      REINS_QUIET: "1",
      ...(cold ? { REINS_CACHE: cold } : {}),
    };
    const start = performance.now();
    const args = [
      "train",
      "ppo",
      "CartPole-v1",
      "--solved",
      "--no-save",
      "--eval-episodes",
      "0",
      "--json",
      "--seed",
      String(seed),
    ];
    const child = spawnSync(process.execPath, [here("../../../reins/bin/reins.js"), ...args], {
      env,
      encoding: "utf8",
    });
    const seconds = (performance.now() - start) / 1e3;
    if (cold) rmSync(cold, { recursive: true });
    if (child.status !== 0) return [alone(b, backend, child.stderr.trim().split("\n").pop() ?? "failed")];
    const result = JSON.parse(child.stdout.trim().split("\n").pop()!);
    if (result.return.mean >= 475) times.push(seconds);
    else unsolved.push(seed);
  }
  const own = times.length ? summary(times) : undefined;
  if (backend !== "native" || b.peers.length === 0) return [alone(b, backend, own && [own])];
  const rows: Result[] = [];
  for (const [i, peer] of b.peers.entries()) {
    const side = await startPeer(peer, b.name, { ...options, rounds: Math.min(3, options.rounds) }).catch(
      reason,
    );
    const samples: number[] = [];
    if (typeof side !== "string") {
      for (let r = 0; r < Math.min(3, options.rounds); r++) samples.push(...(await side.round()));
      side.stop();
    }
    const note = typeof side === "string" ? side : side.ready.version;
    rows.push(
      row(
        b,
        backend,
        own,
        peer,
        samples.length ? summary(samples) : undefined,
        i === 0,
        `${note}${unsolved.length ? `; not solved: seeds ${unsolved.join(", ")}` : ""}`,
      ),
    );
  }
  return rows;
}
