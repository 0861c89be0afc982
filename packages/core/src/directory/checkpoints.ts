import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import {
  type CheckpointHead,
  checkpointFormat,
  isWhole,
  readCheckpoint,
  readHead,
  writeCheckpoint,
} from "./checkpoint.ts";
import { type Files, remove, replaceFile, syncFolder } from "./files.ts";
import { ForeignFile, listPlain } from "./plain-files.ts";

/** A loaded checkpoint. */
export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** Environment steps when it was written. */
  readonly steps: number;
  readonly head: CheckpointHead;
  /** Its folder. */
  readonly path: string;
}

/** A folder that should hold a checkpoint. */
interface CheckpointFiles {
  readonly name: string;
  readonly steps: number;
}

/** The folder `checkpoints/`: one folder per checkpoint, named by its steps; the last few and the best are kept. */
export class Checkpoints {
  readonly folder: string;
  /** Header of the last checkpoint that is known to be intact. */
  head: CheckpointHead | undefined;
  /** Names of damaged folders. */
  readonly damaged = new Set<string>();
  /** Damaged folders that are intact themselves, but refer to a damaged file outside. */
  private readonly rejected = new Set<string>();
  /** Marker file that exists from the first checkpoint on. */
  private readonly mark: string;
  /** Scores by folder, so that finding the best does not read all of them again. */
  private readonly scores = new Map<string, number | undefined>();
  private readonly files: Files;
  private readonly keep: number;
  private readonly warn: (message: string) => void;

  constructor(folder: string, files: Files, keep: number, warn: (message: string) => void) {
    this.folder = folder;
    this.mark = `${folder}.written`;
    this.files = files;
    this.keep = keep;
    this.warn = warn;
  }

  /** Steps of the last checkpoint that is known to be intact. */
  get last(): number | undefined {
    return this.head?.steps;
  }

  /** Whether a checkpoint was ever written: if so and none is left, they were lost. */
  get wereWritten(): boolean {
    return existsSync(this.mark);
  }

  /** Writes a checkpoint beside the others and renames it when it is complete. */
  write(about: CheckpointHead, snapshot: Snapshot): void {
    const { files, folder, keep } = this;
    const head = { ...about, keep };
    const name = `${head.steps}`;
    const target = join(folder, name);
    const draft = join(folder, `.writing-${name}`);
    // Not recursive: a directory that was deleted meanwhile must cause an error.
    if (!existsSync(folder)) files.mkdirSync(folder);
    remove(files, draft);
    try {
      files.mkdirSync(draft);
      writeCheckpoint(files, draft, head, snapshot);
      if (this.damaged.has(name)) files.rmSync(target, { recursive: true, force: true });
      else if (existsSync(target)) {
        // Rewritten at the same step: the old one stays readable under another name until the new one is in place.
        files.rmSync(`${target}.old`, { recursive: true, force: true });
        files.renameSync(target, `${target}.old`);
      }
      files.renameSync(draft, target);
    } catch (error) {
      remove(files, draft);
      throw error;
    }
    syncFolder(files, folder);
    this.head = head;
    this.scores.set(name, head.score);
    this.damaged.delete(name);
    this.rejected.delete(name);
    this.note();
    this.prune(keep);
  }

  /** The latest intact checkpoint. Damaged ones are skipped with a warning. */
  latest(tries = 3): Checkpoint | undefined {
    this.damaged.clear();
    for (const name of this.rejected) this.damaged.add(name);
    for (const { name } of this.list()) {
      if (this.rejected.has(name)) continue;
      const found = this.read(name);
      if (found) {
        this.head = found.head;
        return found;
      }
      // A training process may have removed it meanwhile, in favour of a newer one.
      if (!existsSync(join(this.folder, name)) && tries > 0) return this.latest(tries - 1);
    }
    return undefined;
  }

  /** Skips a checkpoint from now on, because a file that it refers to is damaged. */
  reject({ path }: Checkpoint, why: string): void {
    this.rejected.add(basename(path));
    this.warn(`Checkpoint ${path} is not used: ${why}`);
  }

  /** The intact checkpoint with the highest score, the later of equals. */
  best(): Checkpoint | undefined {
    for (const { name } of this.byScore(this.list())) {
      const found = this.read(name);
      if (found) return found;
    }
    return undefined;
  }

  /** Steps of the latest checkpoint that is intact now. For error messages: it neither fails nor changes anything. */
  intact(): number | undefined {
    return this.wholeNow()?.steps;
  }

  /** Number of the last saved episode, according to the latest intact checkpoint; nothing is changed. */
  episodes(): number {
    const place = this.wholeNow();
    return (place && readHead(join(this.folder, place.name)).episodes) ?? 0;
  }

  private wholeNow(): CheckpointFiles | undefined {
    try {
      return this.list().find(({ name }) => isWhole(join(this.folder, name)));
    } catch {
      return undefined;
    }
  }

  /** Removes incomplete files of an interrupted process, and finishes its work after its last checkpoint. */
  tidy(): void {
    for (const name of entries(this.folder))
      if (name.startsWith(".writing-")) remove(this.files, join(this.folder, name));
    if (!this.head) return;
    this.note();
    // Prunes with the interrupted process's limit: a new limit applies only after the next checkpoint.
    // With damaged files nothing is pruned, because older checkpoints may be needed.
    const { keep } = this.head;
    if (Number.isInteger(keep) && keep! >= 1 && this.damaged.size === 0) this.prune(keep!);
  }

  private note(): void {
    if (!this.wereWritten) replaceFile(this.files, this.mark, markText);
  }

  /** Latest first; a checkpoint that was being replaced comes after its replacement. */
  private list(): CheckpointFiles[] {
    return entries(this.folder)
      .filter((name) => /^\d+(\.old)?$/.test(name))
      .map((name) => ({ name, steps: Number.parseInt(name, 10) }))
      .sort((a, b) => b.steps - a.steps || a.name.length - b.name.length);
  }

  private read(name: string, again = true): Checkpoint | undefined {
    const path = join(this.folder, name);
    try {
      const body = readHead(path);
      if (body.format !== checkpointFormat) throw new Refused(refusal(body));
      const { arrays: _, state: __, ...head } = body;
      return { snapshot: readCheckpoint(path, body), steps: head.steps, head, path };
    } catch (error) {
      if (error instanceof Refused) fail(path, error.message);
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (["EACCES", "EPERM", "EMFILE", "ENFILE"].includes(code))
        fail(path, `the checkpoint cannot be read (${message}). Make it readable, then try again.`);
      if (isWhole(path)) {
        // A training process may have replaced it just now.
        if (again) return this.read(name, false);
        // Other errors, such as too little memory, do not mean damage: skipping the checkpoint would lose its state.
        throw error;
      }
      if (existsSync(path)) {
        this.damaged.add(name);
        this.warn(`Checkpoint ${path} is damaged and is not used: ${(error as Error).message}`);
      }
      return undefined;
    }
  }

  private prune(keep: number): void {
    const { last, damaged } = this;
    const all = this.list();
    // Checkpoints after the last one are damaged, or belong to steps that were dropped.
    const whole = all.filter(
      ({ name, steps }, i) => steps <= last! && !damaged.has(name) && steps !== all[i - 1]?.steps,
    );
    const kept = new Set(whole.slice(0, keep));
    const [best] = this.byScore(whole);
    if (best) kept.add(best);
    for (const c of all) if (!kept.has(c)) remove(this.files, join(this.folder, c.name));
  }

  /** Checkpoints with a score, best first; the list has the latest first, and sorting keeps that order among equals. */
  private byScore(list: readonly CheckpointFiles[]): CheckpointFiles[] {
    const score = ({ name }: CheckpointFiles) => this.score(name);
    return list.filter((c) => score(c) !== undefined).sort((a, b) => score(b)! - score(a)!);
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

function refusal({ format, reins }: CheckpointHead): string {
  return (
    `it has format ${format}, written by Reins ${reins}; this version reads format ${checkpointFormat}. ` +
    `Resume it with Reins ${reins}, or start a new run in another directory.`
  );
}

const markText = "Checkpoints of this run were written. If they are missing, the run does not start over.\n";

/** Entries of a folder; none if it does not exist. An unreadable folder must not pass for an empty one. */
function entries(folder: string): string[] {
  try {
    return listPlain(folder);
  } catch (error) {
    if (error instanceof ForeignFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    return fail(
      folder,
      code === "ENOTDIR"
        ? "it is a file where the folder of checkpoints should be. Restore the folder from a copy, or start a new run in another directory."
        : `the checkpoints cannot be read (${message}). Make the folder readable, then try again; nothing was changed.`,
    );
  }
}
