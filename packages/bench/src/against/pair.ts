import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { alternate } from "../compare.ts";
import { connect, relaxedSimd, type Side } from "../side.ts";
import { summary } from "../stats.ts";
import type { AgainstRow } from "./rows.ts";

/** A sample: seconds, or seconds of a generation and of its parts. */
type Sample = number | { readonly whole: number };

/** A row on one back end, and how long to measure it. */
export interface PairOptions {
  readonly row: AgainstRow;
  readonly backend: "native" | "wasm";
  /** Seconds of a round. */
  readonly seconds: number;
  /** Alternating rounds of a pair of processes. */
  readonly rounds: number;
}

const clock = new URL("./processor-clock.js", import.meta.url).href;

/** The program of a suite in a checkout. Its name was `ours.js` until version 0.1. */
function programOf(checkout: string, { folder }: AgainstRow): string {
  const files = ["reins-process.js", "ours.js"].map((file) =>
    join(checkout, "packages/bench/dist", folder, file),
  );
  const found = files.find((file) => existsSync(file));
  if (!found) throw new Error(`${checkout} has no ${files[0]}. Run npm install && npm run build there.`);
  return found;
}

function start(checkout: string, { row, backend, seconds }: PairOptions): Promise<Side<Sample>> {
  const relaxed = backend === "wasm" && relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const size = ["--only", row.name, "--seconds", String(seconds), "--threads", "1", "--backend", backend];
  return connect<Sample>(
    spawn(process.execPath, [...relaxed, "--import", clock, programOf(checkout, row), ...size], {
      cwd: checkout,
      env: { ...process.env, REINS_BACKEND: backend, REINS_THREADS: "1", REINS_QUIET: "1" },
    }),
  );
}

const here = fileURLToPath(new URL("../../../..", import.meta.url));

/** CPU time of the other checkout divided by this one's, in a new pair of processes. */
export async function pairRatio(other: string, options: PairOptions, otherFirst: boolean): Promise<number> {
  // In sequence: the second must not compile while the first warms up.
  const checkouts = otherFirst ? [other, here] : [here, other];
  const sides = [await start(checkouts[0], options), await start(checkouts[1], options)];
  const medians = (await alternate(sides, options.rounds)).map(
    (samples) => summary(samples.map((s) => (typeof s === "number" ? s : s.whole))).median,
  );
  for (const side of sides) side.stop();
  return otherFirst ? medians[0] / medians[1] : medians[1] / medians[0];
}
