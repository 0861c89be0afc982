import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CompileBenchmark } from "./compile-benchmarks.ts";
import type { Options } from "./options.ts";
import type { Result } from "./result.ts";
import { summary } from "./stats.ts";

/** Measures in fresh processes, each with its own cache directory. */
export function compileTime({ name, backend, warm, limit }: CompileBenchmark, options: Options): Result {
  const cache = mkdtempSync(join(tmpdir(), "reins-bench-"));
  const times: Times[] = [];
  let failure: string | undefined;
  try {
    if (warm) firstCall(backend, cache, options.small);
    for (let i = 0; i < (options.rounds > 2 ? 5 : 2); i++) {
      times.push(firstCall(backend, warm ? cache : join(cache, String(i)), options.small));
    }
  } catch (error) {
    failure = `ours unavailable: ${error instanceof Error ? error.message : error}`;
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  const first = failure ? undefined : summary(times.map((t) => t.first));
  const second = failure ? undefined : summary(times.map((t) => t.second)).median;
  return {
    name,
    backend,
    threads: availableParallelism(),
    ours: first?.median ?? null,
    peer: null,
    peerName: null,
    unit: "s",
    ratio: null,
    spread: { ours: first ? [first.low, first.high] : null, peer: null },
    floor: options.small ? null : limit,
    met: !first || options.small ? null : first.median <= limit,
    note: failure ?? `of which the step itself takes ${second!.toFixed(3)} s`,
  };
}

/** Seconds of the first and the second call. */
interface Times {
  readonly first: number;
  readonly second: number;
}

function firstCall(backend: string, cache: string, small: boolean): Times {
  const file = fileURLToPath(new URL("first-call.js", import.meta.url));
  const child = spawnSync(
    process.execPath,
    [...process.execArgv, file, backend, ...(small ? ["--small"] : [])],
    {
      env: { ...process.env, REINS_CACHE: cache },
      encoding: "utf8",
      timeout: 120_000,
    },
  );
  if (child.error) throw child.error;
  if (child.status === 0) return JSON.parse(child.stdout);
  throw new Error(
    child.stderr.split("\n").find((line) => /Error/.test(line)) ?? `exit status ${child.status}`,
  );
}
