import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { causeOf } from "./cause.ts";
import { Child } from "./child.ts";
import { Collection } from "./collection.ts";
import type { Pairs } from "./coverage.ts";
import type { Options } from "./options.ts";
import { reportPairs } from "./report.ts";
import { slotSize } from "./slot.ts";
import type { SlotResult } from "./worker.ts";

export interface Summary {
  readonly seed: number;
  readonly programs: number;
  readonly runs: number;
  readonly rounded: number;
  readonly seconds: number;
  /** Number of programs that PyTorch also ran; reasons why it did not run others, with counts. */
  readonly torch: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** One of each kind; `times` is the number of programs that showed it. */
  readonly findings: readonly {
    kind: string;
    detail: string;
    programs: number[];
    times: number;
    test: string;
  }[];
}

/** Runs the programs of a seed in several processes, and shrinks findings. */
export async function fuzz(options: Options, log: (line: string) => void): Promise<Summary> {
  const { seed, backends, program } = options;
  const cache = mkdtempSync(join(tmpdir(), "reins-fuzz-"));
  const env = environment(options, cache);
  const children = Array.from({ length: options.jobs }, () => new Child(env));
  const started = Date.now();
  const slots = slotsOf(options);
  const total = new Total();
  const collection = new Collection(options, log);
  const wanted = (result: SlotResult) =>
    result.findings.filter((f) => program === undefined || f.programs.some((p) => p.index === program));
  const serve = async (child: Child) => {
    for (let slot = slots.shift(); slot !== undefined; slot = slots.shift()) {
      const answer = await child.ask({ kind: "slot", seed, slot, backends });
      if ("death" in answer)
        await collection.add(await causeOf(child, answer, { seed, slot, backends }), child);
      else {
        total.add(answer.result);
        await collection.add(wanted(answer.result), child);
      }
      const rate = Math.round(total.programs / ((Date.now() - started) / 60000));
      const { found, kinds } = collection;
      log(
        `${total.programs} programs, ${rate} a minute, ${total.pairs.size} pairs, ${found} found (${kinds.length} different)${options.torch ? `, ${total.torch} with PyTorch` : ""}`,
      );
    }
  };
  try {
    await Promise.all(children.map(serve));
  } finally {
    for (const c of children) c.end();
    rmSync(cache, { recursive: true, force: true });
  }
  if (options.report) writeFileSync(options.report, reportPairs(total.pairs));
  const { programs, runs, rounded, torch } = total;
  return {
    seed,
    programs,
    runs,
    rounded,
    seconds: (Date.now() - started) / 1000,
    torch,
    skipped: Object.fromEntries([...total.skipped].sort((a, b) => b[1] - a[1])),
    findings: collection.kinds.map(({ finding, times, test }) => ({
      kind: finding.kind,
      detail: finding.detail,
      programs: finding.programs.map((p) => p.index),
      times,
      test,
    })),
  };
}

/** Environment variables of the worker processes. */
const environment = ({ guard, torch }: Options, cache: string): NodeJS.ProcessEnv => ({
  ...process.env,
  REINS_CACHE: cache,
  REINS_QUIET: "1",
  // With this setting WebAssembly has the bits of native code.
  REINS_RELAXED_SIMD: process.env.REINS_RELAXED_SIMD ?? "1",
  ...(guard ? { REINS_GUARD: "1" } : {}),
  ...(torch ? { REINS_FUZZ_TORCH: process.env.REINS_PYTHON || "python3" } : {}),
});

/** The lots to run: all, or that of the requested program with its neighbours, as when it was found. */
const slotsOf = ({ program, programs }: Options): number[] =>
  program === undefined
    ? Array.from({ length: Math.ceil(programs / slotSize) }, (_, i) => i)
    : [Math.floor(program / slotSize)];

/** Totals of all lots. */
class Total {
  programs = 0;
  runs = 0;
  rounded = 0;
  torch = 0;
  readonly pairs: Pairs = new Map();
  readonly skipped = new Map<string, number>();

  add(result: SlotResult): void {
    this.programs += result.programs;
    this.runs += result.runs;
    this.rounded += result.rounded;
    this.torch += result.torch;
    for (const [k, n] of result.pairs) this.pairs.set(k, (this.pairs.get(k) ?? 0) + n);
    for (const [why, n] of result.skipped) this.skipped.set(why, (this.skipped.get(why) ?? 0) + n);
  }
}
