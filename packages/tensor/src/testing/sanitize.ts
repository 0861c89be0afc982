import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sanitizedEnvironment } from "../backends/native/sanitize.ts";

/**
 * Runs Node with these arguments under the sanitisers (see `backends/native/sanitize.ts`) and returns its exit status.
 *
 *     npm run sanitize
 *     npm run sanitize -- --all
 *     npm run sanitize -- script.js
 */
export function runSanitized(args: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const { status } = spawnSync(process.execPath, args, {
    stdio: "inherit",
    env: { ...env, ...sanitizedEnvironment() },
  });
  return status ?? 1;
}

/** Tests of compiled programs, which take a few minutes under the sanitisers. */
const compiled = [
  "attend",
  "bits",
  "donation",
  "lifetime",
  "primitives",
  "random-graphs",
  "views",
  "wrong-numbers",
].map((name) => `packages/tensor/src/${name}.test.ts`);

/** The arguments of Node for a command line: your own program, or tests (default: tests of compiled programs). */
export function sanitizedArguments(typed: readonly string[]): readonly string[] {
  const tests = typed.length === 0 ? compiled : ["packages/tensor", "packages/nn"];
  if (typed.length > 0 && typed[0] !== "--all") return typed;
  // Compiling takes several times as long under the sanitisers: tests get more time.
  return ["node_modules/vitest/vitest.mjs", "run", ...tests, "--test-timeout", "600000", ...typed.slice(1)];
}

/** To be called first in a program: with REINS_SANITIZE=address it starts again under the sanitisers, and ends as that one does. */
export function restartSanitized(): void {
  const { REINS_SANITIZE: sanitizer, LD_PRELOAD: preloaded = "" } = process.env;
  if (sanitizer === "address" && !preloaded.includes("libasan"))
    process.exit(runSanitized([...process.execArgv, ...process.argv.slice(1)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  // Only native code is sanitised.
  process.exit(
    runSanitized(sanitizedArguments(process.argv.slice(2)), {
      REINS_TEST_BACKENDS: "native",
      ...process.env,
    }),
  );
