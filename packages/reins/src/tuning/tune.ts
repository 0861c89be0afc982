import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "@reins/core";
import { forked, Journal, type Worker } from "@reins/recipes/jobs";
import { checkPieces, checkTuningFolder } from "./known-pieces.ts";
import { type Piece, type Plan, type Search, samePiece, type Told } from "./search.ts";
import { type SearchName, searches } from "./searches.ts";
import type { Outcome, PieceSetup, Work } from "./work.ts";
import { workFor } from "./work-for.ts";

/** What is kept of a piece: its outcome, or why there is none. */
export type Kept = Outcome | { readonly failed: string };

/** Settings of {@link tune}. */
export interface TuneOptions {
  readonly method: SearchName;
  readonly setup: PieceSetup;
  /** Where everything is kept. */
  readonly folder: string;
  readonly jobs: number;
  /** Seconds after which a piece counts as hanging. */
  readonly timeout: number;
  /** Whether the environment can be saved. Where it cannot, a trial that is promoted begins anew. */
  readonly savable: boolean;
  readonly stop: () => boolean;
  /** Told at the beginning what an earlier call left: pieces that are done, and pieces that failed and are tried again. */
  readonly resumed: (done: number, failed: number) => void;
  readonly done: (told: Told, kept: Kept, all: readonly Told[]) => void;
}

/** Searches, several pieces at a time in processes of their own, and goes on where it was. Resolves to all that was told. */
export async function tune(plan: Plan, options: TuneOptions): Promise<readonly Told[]> {
  const { method, setup, folder, jobs, timeout, savable, stop } = options;
  checkTuningFolder(folder);
  const journal = new Journal<Piece, Kept>(
    join(folder, "journal.jsonl"),
    JSON.stringify([method, plan, setup]),
  );
  if (journal.overtaken.length)
    fail(
      folder,
      "it holds trials of another search: other settings, steps, seeds or a different space. Choose another --name, or begin anew with --fresh.",
    );
  const entries = journal.entries();
  checkPieces(
    plan,
    entries.map(({ task }) => task),
    folder,
  );
  // What failed may have been mended since. Until it is tried again it counts as under way.
  const again = entries.filter(({ result }) => "failed" in result).map(({ task }) => task);
  const told: Told[] = entries
    .filter(({ result }) => !("failed" in result))
    .map(({ task, result }) => ({ piece: task, score: scoreOf(result) }));
  const running: Piece[] = [...again];
  if (entries.length) options.resumed(told.length, again.length);
  const search: Search = searches[method];
  let wake: (() => void)[] = [];
  const lane = async (worker: Worker<Work, Outcome>) => {
    while (!stop()) {
      const failed = again.shift();
      const piece = failed ?? search(plan, told, running);
      if (piece === "done") return;
      if (piece === "wait") {
        await new Promise<void>((go) => wake.push(go));
        continue;
      }
      if (!failed) running.push(piece);
      const kept = await within(
        timeout,
        worker,
        workFor(method, piece, { folder, savable, steps: plan.steps }),
      );
      running.splice(
        running.findIndex((r) => samePiece(r, piece)),
        1,
      );
      // What was ended because somebody wished so is no outcome.
      if (!stop()) {
        journal.add(piece, kept);
        told.push({ piece, score: scoreOf(kept) });
        options.done({ piece, score: scoreOf(kept) }, kept, told);
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
    await Promise.all(workers.map(lane));
  } finally {
    clearInterval(watch);
    wake = [];
    await Promise.all(workers.map((w) => w.end()));
  }
  return told;
}

/** A process that trains. */
export function pieceWorker(setup: PieceSetup): Worker<Work, Outcome> {
  // Tests run from the sources; processes run what was built.
  return forked(fileURLToPath(new URL("../../dist/packed/piece-worker.js", import.meta.url)), {
    args: [JSON.stringify(setup)],
    env: { REINS_THREADS: "1", REINS_QUIET: "1" },
  });
}

/** A piece that failed gained nothing. */
const scoreOf = (kept: Kept) =>
  "failed" in kept || !Number.isFinite(kept.score) ? Number.NEGATIVE_INFINITY : kept.score;

/** Does it, and ends the process where it takes too long; whoever is asked next has a new one. */
export async function within(seconds: number, worker: Worker<Work, Outcome>, work: Work): Promise<Kept> {
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
    return { failed: late ? `it took longer than ${seconds} s` : (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}
