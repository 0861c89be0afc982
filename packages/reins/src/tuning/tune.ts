import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "@reins/core";
import { forkedWorker, Journal, type Worker } from "@reins/recipes/jobs";
import { checkPieces, checkTuningFolder } from "./known-pieces.ts";
import { type Piece, type PieceResult, type Search, type SearchPlan, samePiece } from "./search.ts";
import { type SearchName, searches } from "./searches.ts";
import type { PieceSetup, Work, WorkResult } from "./work.ts";
import { workFor } from "./work-for.ts";

/** The journal entry of a piece: its result, or the error. */
export type WorkOutcome = WorkResult | { readonly failed: string };

/** Settings of {@link tune}. */
export interface TuneOptions {
  readonly method: SearchName;
  readonly setup: PieceSetup;
  /** Folder of the search. */
  readonly folder: string;
  readonly jobs: number;
  /** Time limit of a piece in seconds. */
  readonly timeout: number;
  /** Whether the environment can be saved; otherwise promoted trials are retrained from the start. */
  readonly savable: boolean;
  readonly stop: () => boolean;
  /** Called at the start with the numbers of finished pieces, and of failed pieces that are retried. */
  readonly resumed: (done: number, failed: number) => void;
  readonly done: (result: PieceResult, outcome: WorkOutcome, all: readonly PieceResult[]) => void;
}

/** Runs or continues a search in parallel processes. Resolves to all results. */
export async function tune(plan: SearchPlan, options: TuneOptions): Promise<readonly PieceResult[]> {
  const { method, setup, folder, jobs, timeout, savable, stop } = options;
  checkTuningFolder(folder);
  const journal = new Journal<Piece, WorkOutcome>(
    join(folder, "journal.jsonl"),
    JSON.stringify([method, plan, setup]),
  );
  if (journal.overtaken.length)
    fail(
      folder,
      "the folder holds another search, with other settings, steps, seeds or another search space. Choose another --name, or discard it with --fresh.",
    );
  const entries = journal.entries();
  checkPieces(
    plan,
    entries.map(({ task }) => task),
    folder,
  );
  // Failed pieces are retried, in case the cause was fixed. Until then they count as running.
  const again = entries.filter(({ result }) => "failed" in result).map(({ task }) => task);
  const results: PieceResult[] = entries
    .filter(({ result }) => !("failed" in result))
    .map(({ task, result }) => ({ piece: task, score: scoreOf(result) }));
  const running: Piece[] = [...again];
  if (entries.length) options.resumed(results.length, again.length);
  const search: Search = searches[method];
  let wake: (() => void)[] = [];
  const runWorker = async (worker: Worker<Work, WorkResult>) => {
    while (!stop()) {
      const failed = again.shift();
      const piece = failed ?? search(plan, results, running);
      if (piece === "done") return;
      if (piece === "wait") {
        await new Promise<void>((go) => wake.push(go));
        continue;
      }
      if (!failed) running.push(piece);
      const outcome = await within(
        timeout,
        worker,
        workFor(method, piece, { folder, savable, steps: plan.steps }),
      );
      running.splice(
        running.findIndex((r) => samePiece(r, piece)),
        1,
      );
      // A piece that was interrupted has no result.
      if (!stop()) {
        journal.add(piece, outcome);
        results.push({ piece, score: scoreOf(outcome) });
        options.done({ piece, score: scoreOf(outcome) }, outcome, results);
      }
      for (const go of wake.splice(0)) go();
    }
    for (const go of wake.splice(0)) go();
  };
  const workers = Array.from({ length: jobs }, () => pieceWorker(setup));
  const watch = setInterval(() => {
    if (stop()) for (const w of workers) w.end();
  }, 100);
  try {
    await Promise.all(workers.map(runWorker));
  } finally {
    clearInterval(watch);
    wake = [];
    await Promise.all(workers.map((w) => w.end()));
  }
  return results;
}

/** Starts a worker process. */
export function pieceWorker(setup: PieceSetup): Worker<Work, WorkResult> {
  // Child processes run the build, even if tests run from the sources.
  return forkedWorker(fileURLToPath(new URL("../../dist/packed/piece-worker.js", import.meta.url)), {
    args: [JSON.stringify(setup)],
    env: { REINS_THREADS: "1", REINS_QUIET: "1" },
  });
}

const scoreOf = (outcome: WorkOutcome) =>
  "failed" in outcome || !Number.isFinite(outcome.score) ? Number.NEGATIVE_INFINITY : outcome.score;

/** Runs a piece, and kills the worker process after the time limit; the next piece starts a new one. */
export async function within(
  seconds: number,
  worker: Worker<Work, WorkResult>,
  work: Work,
): Promise<WorkOutcome> {
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      worker.end("SIGKILL");
    },
    Math.min(seconds * 1000, 2 ** 31 - 1),
  );
  try {
    return await worker.do(work);
  } catch (error) {
    return { failed: late ? `timed out after ${seconds} s` : (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}
