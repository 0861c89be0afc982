import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "./options.ts";
import type { Result } from "./result.ts";
import { summary } from "./stats.ts";

/** Seconds from the call of the GPT step to its first result. */
export interface CompileBenchmark {
  readonly name: string;
  readonly work: string;
  readonly backend: "native" | "wasm";
  /** Whether an earlier process has left its work in the cache. */
  readonly warm: boolean;
  /** The most seconds it may take. */
  readonly limit: number;
}

export const compileBenchmarks: readonly CompileBenchmark[] = [
  {
    name: "compile-gpt-native-cold",
    work: "first GPT step, empty cache",
    backend: "native",
    warm: false,
    limit: 3,
  },
  {
    name: "compile-gpt-native-warm",
    work: "first GPT step, full cache",
    backend: "native",
    warm: true,
    limit: 0.3,
  },
  { name: "compile-gpt-wasm", work: "first GPT step", backend: "wasm", warm: false, limit: 1 },
];

/** Measures in fresh processes, each with a cache directory of its own. */
export function compileTime({ name, backend, warm, limit }: CompileBenchmark, options: Options): Result {
  const cache = mkdtempSync(join(tmpdir(), "reins-bench-"));
  const samples: number[] = [];
  let note: string | undefined;
  try {
    const first = (folder: string) => {
      const file = fileURLToPath(new URL("first-call.js", import.meta.url));
      const args = [...process.execArgv, file, backend, ...(options.small ? ["--small"] : [])];
      const child = spawnSync(process.execPath, args, {
        env: { ...process.env, REINS_CACHE: folder },
        encoding: "utf8",
        timeout: 300_000,
      });
      if (child.status !== 0)
        throw new Error(
          child.stderr.split("\n").find((line) => /Error/.test(line)) ?? `exit status ${child.status}`,
        );
      return Number(child.stdout);
    };
    if (warm) first(cache);
    for (let i = 0; i < (options.rounds > 2 ? 5 : 2); i++)
      samples.push(first(warm ? cache : join(cache, String(i))));
  } catch (error) {
    note = `ours unavailable: ${error instanceof Error ? error.message : error}`;
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  const { median, low, high } = samples.length ? summary(samples) : { median: null, low: null, high: null };
  return {
    name,
    backend,
    threads: availableParallelism(),
    ours: median,
    peer: null,
    peerName: null,
    unit: "s",
    ratio: null,
    spread: { ours: low === null ? null : [low, high], peer: null },
    floor: options.small ? null : limit,
    met: median === null || options.small ? null : median <= limit,
    note,
  };
}
