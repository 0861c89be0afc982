import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import {
  type CheckpointHead,
  checkpointFormat,
  readCheckpoint,
  readHead,
  writeCheckpoint,
} from "./checkpoint.ts";
import { type Files, remove, syncFolder } from "./files.ts";

/** A checkpoint that was read. */
export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** Environment steps taken when it was written. */
  readonly steps: number;
  readonly head: CheckpointHead;
  /** Its folder. */
  readonly path: string;
}

/** The folder `checkpoints/`: one folder a checkpoint, named by its steps; the last few and the best are kept. */
export class Checkpoints {
  readonly folder: string;
  /** Steps of the last checkpoint that is known to be whole. */
  last: number | undefined;
  /** Folders that were found damaged. */
  readonly damaged: string[] = [];
  /** Scores by folder, so that finding the best does not read them all again. */
  private readonly scores = new Map<string, number | undefined>();
  private readonly files: Files;
  private readonly keep: number;
  private readonly warn: (message: string) => void;

  constructor(folder: string, files: Files, keep: number, warn: (message: string) => void) {
    this.folder = folder;
    this.files = files;
    this.keep = keep;
    this.warn = warn;
  }

  /** Writes one beside the others and renames it when it is whole. */
  write(head: CheckpointHead, snapshot: Snapshot): void {
    const { files, folder } = this;
    const target = join(folder, `${head.steps}`);
    const draft = join(folder, `.writing-${head.steps}`);
    files.mkdirSync(folder, { recursive: true });
    remove(files, draft);
    try {
      files.mkdirSync(draft);
      writeCheckpoint(files, draft, head, snapshot);
      if (existsSync(target)) {
        // Written again at the same step: the old one stays readable under another name until the new one has its place.
        files.rmSync(`${target}.old`, { recursive: true, force: true });
        files.renameSync(target, `${target}.old`);
      }
      files.renameSync(draft, target);
    } catch (error) {
      remove(files, draft);
      throw error;
    }
    syncFolder(files, folder);
    this.last = head.steps;
    this.scores.set(`${head.steps}`, head.score);
    this.prune();
  }

  /** The latest checkpoint that is whole. Damaged ones are skipped with a warning. */
  latest(tries = 3): Checkpoint | undefined {
    this.damaged.length = 0;
    for (const { name, steps } of this.list()) {
      const path = join(this.folder, name);
      try {
        const body = readHead(path);
        if (body.format !== checkpointFormat) refuseFormat(path, body);
        const { arrays: _, state: __, ...head } = body;
        const snapshot = readCheckpoint(path, body);
        this.last = steps;
        return { snapshot, steps, head, path };
      } catch (error) {
        if (error instanceof Refused) fail(path, error.message);
        // Whoever trains here may have removed it meanwhile, in favour of a newer one.
        if (!existsSync(path) && tries > 0) return this.latest(tries - 1);
        this.damaged.push(path);
        this.warn(`Checkpoint ${path} is damaged and will not be used: ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  /** Removes what an interrupted process left half-written. */
  tidy(): void {
    for (const name of entries(this.folder))
      if (name.startsWith(".writing-")) remove(this.files, join(this.folder, name));
  }

  /** Latest first; one that was being replaced comes after its replacement. */
  private list(): { name: string; steps: number }[] {
    return entries(this.folder)
      .filter((name) => /^\d+(\.old)?$/.test(name))
      .map((name) => ({ name, steps: Number.parseInt(name, 10) }))
      .sort((a, b) => b.steps - a.steps || a.name.length - b.name.length);
  }

  private prune(): void {
    const { last } = this;
    // Later ones than the last are damaged, or belong to a future that was given up.
    const all = this.list().filter(({ name, steps }) => steps <= last! && !name.endsWith(".old"));
    const kept = new Set(all.slice(0, this.keep).map((c) => c.name));
    const best = this.best(all.map((c) => c.name));
    if (best) kept.add(best);
    for (const { name } of this.list()) if (!kept.has(name)) remove(this.files, join(this.folder, name));
  }

  private best(names: readonly string[]): string | undefined {
    let best: string | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const name of names) {
      const score = this.score(name);
      if (score !== undefined && score > most) [best, most] = [name, score];
    }
    return best;
  }

  private score(name: string): number | undefined {
    if (!this.scores.has(name)) {
      let score: number | undefined;
      try {
        ({ score } = readHead(join(this.folder, name)));
      } catch {}
      this.scores.set(name, score);
    }
    return this.scores.get(name);
  }
}

class Refused extends Error {}

function refuseFormat(path: string, { format, reins }: CheckpointHead): never {
  throw new Refused(
    `it has format ${format}, written by Reins ${reins}; this version reads format ${checkpointFormat}. ` +
      `Resume it with Reins ${reins}, or train anew in another directory than ${path}.`,
  );
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
