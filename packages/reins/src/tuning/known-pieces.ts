import { type Dirent, lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { fail } from "@reins/core";
import type { Piece, SearchPlan } from "./search.ts";
import type { Dimension } from "./space.ts";

/**
 * Rejects a journal with a piece that this search cannot have made. The folder is untrusted, and a piece determines which folders are written
 * to and, by its settings, which code runs.
 */
export function checkPieces(plan: SearchPlan, pieces: readonly Piece[], folder: string): void {
  const strange = pieces.find((piece) => !isPieceOf(plan, piece));
  if (strange)
    fail(
      folder,
      `journal.jsonl has a trial that is not part of this search: ${JSON.stringify(strange).slice(0, 200)}. Choose another --name, or discard the search with --fresh.`,
    );
}

function isPieceOf(plan: SearchPlan, piece: Piece): boolean {
  const { trial, seed, settings, to, rung, parent = 0 } = Object(piece) as Partial<Piece>;
  const isBelow = (x: unknown, end: number) => Number.isSafeInteger(x) && Number(x) >= 0 && Number(x) < end;
  return (
    isBelow(trial, plan.trials) &&
    isBelow(parent, plan.trials) &&
    isBelow(rung, Number.POSITIVE_INFINITY) &&
    isBelow(to, plan.steps + 1) &&
    plan.seeds.some((own) => own === seed) &&
    Object.entries(settings ?? { none: true }).every(([name, value]) =>
      plan.space.some((d) => d.name === name && isValueOf(d, value)),
    )
  );
}

function isValueOf(d: Dimension, value: unknown): boolean {
  if (!("choices" in d)) return typeof value === "number" && value >= d.low && value <= d.high;
  return d.choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
}

const files = ["journal.jsonl", "tests.jsonl", "best.json", "importance.svg"];
const folders = ["trials", "best"];

/** Rejects a folder in which a symbolic link or a second hard link would redirect writes. */
export function checkTuningFolder(folder: string): void {
  for (const name of [...files, ...folders]) {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && (!isPlain(stat) || (stat.isFile() && stat.nlink > 1))) refuse(join(folder, name));
  }
  for (const name of folders)
    for (const entry of entriesOf(join(folder, name)))
      if (!isPlain(entry)) refuse(join(folder, name, entry.name));
}

/** Deletes an earlier search, but not its lock. A folder that holds anything else is refused: it is the user's. */
export function discardSearch(folder: string): void {
  const names = lstatSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
  if (!names.includes("journal.jsonl")) return;
  const own = [...files, ...folders];
  const other = names.find((name) => name !== "lock" && !own.includes(name));
  if (other !== undefined)
    fail(
      folder,
      `it holds ${other}, which is not part of a search, so --fresh does not delete it. Choose another --name, or delete the folder yourself.`,
    );
  for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
}

const isPlain = (kind: Stats | Dirent) => kind.isFile() || kind.isDirectory();

const refuse = (path: string) =>
  fail(
    path,
    "this is a link or not a regular file, so writing to it could change another file. Replace it with a copy, choose another --name, or discard the search with --fresh.",
  );

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
