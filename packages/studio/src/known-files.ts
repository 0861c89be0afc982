import type { RunsFolder } from "./folder.ts";
import { GrowingFile, type LineReader } from "./growing-file.ts";

/** Number of runs kept in the cache, by last use. */
const most = 200;

/** A cached file of a run and its reader. */
interface Known<T> {
  readonly reader: T;
  readonly file: GrowingFile;
  reading?: Promise<T>;
}

/** A cache of one file of each run, read incrementally. */
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

  /** The current content of a run's file. Concurrent requests share one read. */
  of(run: string): Promise<T> {
    const known = this.knownOf(run);
    known.reading ??= this.read(run, known).finally(() => {
      known.reading = undefined;
    });
    return known.reading;
  }

  /** The content read within a time limit, which may be incomplete. */
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
    // The most recently used runs are at the end.
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
