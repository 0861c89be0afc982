import type { RunsFolder } from "./folder.ts";
import { GrowingFile, type LineReader } from "./growing-file.ts";

/** Runs of which something is remembered: those that were asked for last. */
const most = 200;

/** What is known of a file of a run, and how it is brought up to date. */
interface Known<T> {
  readonly reader: T;
  readonly file: GrowingFile;
  reading?: Promise<T>;
}

/** What is known of a file that each run may have. What was read of one is not read again. */
export class KnownFiles<T extends LineReader> {
  private readonly folder: RunsFolder;
  private readonly file: string;
  private readonly begin: () => T;
  private readonly known = new Map<string, Known<T>>();

  constructor(folder: RunsFolder, file: string, begin: () => T) {
    this.folder = folder;
    this.file = file;
    this.begin = begin;
  }

  /** What a run's file says by now. Who asks while it is read waits for the same. */
  of(run: string): Promise<T> {
    const known = this.knownOf(run);
    known.reading ??= this.read(run, known).finally(() => {
      known.reading = undefined;
    });
    return known.reading;
  }

  /** As that, but waits no longer than asked: what is known then may be a part. */
  async soon(run: string, patience: number): Promise<T> {
    const late = new Promise((done) => setTimeout(done, patience).unref());
    await Promise.race([this.of(run), late]);
    return this.knownOf(run).reader;
  }

  private async read(run: string, { reader, file }: Known<T>): Promise<T> {
    const there = await this.folder.reading(run, [this.file], async (opened) => {
      await file.read(opened);
      return true;
    });
    if (!there) file.forget();
    return reader;
  }

  private knownOf(run: string): Known<T> {
    const found = this.known.get(run) ?? this.anew();
    // Those that were asked for last are at the end.
    this.known.delete(run);
    this.known.set(run, found);
    if (this.known.size > most) this.known.delete(this.known.keys().next().value!);
    return found;
  }

  private anew(): Known<T> {
    const reader = this.begin();
    return { reader, file: new GrowingFile(reader) };
  }
}
