import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { DamagedDataError, fail } from "../errors.ts";
import { type Digest, damageOf, digestOf } from "./digest.ts";
import { reading, writingTo } from "./failures.ts";

/**
 * A file of fixed-size records that begins empty or as a copy of another. It is created when the first record is written, so that
 * reading a run does not affect the process that trains it.
 */
export class RecordFile {
  private readonly path: string;
  /** Bytes of a record. */
  private readonly width: number;
  /** The file that records are read from; undefined before the first. */
  private fd: number | undefined;
  /** Whether that is our own file, or still the copy that it starts from. */
  private owned = false;
  private start: string | undefined;

  constructor(path: string, width: number) {
    this.path = path;
    this.width = width;
  }

  write(slot: number, record: Uint8Array): void {
    const { width, path } = this;
    writingTo(path, () => {
      const fd = this.own();
      for (let done = 0; done < width; )
        done += writeSync(fd, record, done, width - done, slot * width + done);
    });
  }

  read(slot: number, record: Uint8Array): void {
    const { fd, width, path } = this;
    for (let done = 0; done < width; ) {
      const n =
        fd === undefined
          ? 0
          : reading(path, () => readSync(fd, record, done, width - done, slot * width + done));
      if (n === 0)
        fail(path, `record ${slot} is missing: another process truncated the file. Resume the run.`);
      done += n;
    }
  }

  /** Copies the first `count` records, which must be all, and syncs the copy: a checkpoint must not be more durable than this. */
  copyTo(copy: string, count: number): Digest {
    const { path } = this;
    const fd = this.own();
    // Copied by name, not from the open file; another process may have replaced it.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino)
      fail(path, "it was deleted or replaced by another process. Give every run its own file.");
    rmSync(copy, { force: true });
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    const written = openSync(copy, "r+");
    try {
      fsyncSync(written);
    } finally {
      closeSync(written);
    }
    const digest = digestOf(copy);
    const expected = count * this.width;
    if (digest.bytes !== expected)
      fail(
        path,
        `it has ${digest.bytes} bytes instead of ${expected}: another process changed it. Resume the run.`,
      );
    return digest;
  }

  /** Starts over from a copy. A damaged copy is refused, and nothing is changed. */
  beginWith(copy: string, digest: Digest): void {
    if (!existsSync(copy))
      throw new DamagedDataError(`${copy} does not exist: the replay buffer of this checkpoint was removed.`);
    const damage = damageOf(copy, digest);
    if (damage)
      throw new DamagedDataError(
        `${copy}, the replay buffer of this checkpoint, ${damage}. Restore it from a copy.`,
      );
    this.close();
    this.start = copy;
    this.fd = openSync(copy, "r");
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    this.owned = false;
  }

  /** Creates our own file. An existing one may be in use by another process, which keeps it open without its name. */
  private own(): number {
    if (this.owned) return this.fd!;
    this.close();
    rmSync(this.path, { force: true });
    if (this.start !== undefined) copyFileSync(this.start, this.path, constants.COPYFILE_FICLONE);
    this.fd = openSync(this.path, this.start === undefined ? "wx+" : "r+");
    this.owned = true;
    return this.fd;
  }
}
