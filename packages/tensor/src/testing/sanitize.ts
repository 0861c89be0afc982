import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sanitizedEnvironment } from "../backends/native/sanitize.ts";

/**
 * Runs Node with these arguments under the sanitisers (see `backends/native/sanitize.ts`) and returns its exit status.
 *
 *     npm run sanitize -- node_modules/vitest/vitest.mjs run packages/tensor/src/bits.test.ts
 */
export function runSanitized(args: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const { status } = spawnSync(process.execPath, args, {
    stdio: "inherit",
    env: { ...env, ...sanitizedEnvironment() },
  });
  return status ?? 1;
}

/** Call it first in a program: with REINS_SANITIZE=address it restarts under the sanitisers and exits with that status. */
export function restartSanitized(): void {
  const { REINS_SANITIZE: sanitizer, LD_PRELOAD: preloaded = "" } = process.env;
  if (sanitizer === "address" && !preloaded.includes("libasan"))
    process.exit(runSanitized([...process.execArgv, ...process.argv.slice(1)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(runSanitized(process.argv.slice(2)));
