import type { Kernel, Stmt } from "../../kernel/kernel.ts";

/**
 * Where the threads of a group must wait for one another: before a statement that touches memory which another thread may have touched since
 * the last barrier, if one of the two writes. Each scratch parameter is memory of its own; all other parameters may share theirs, because
 * results are written in place.
 */
export class Hazards {
  private readonly params: Kernel["params"];
  /** Memory that was read and written since the last barrier. */
  private read = new Set<number>();
  private written = new Set<number>();

  constructor(kernel: Kernel) {
    this.params = kernel.params;
  }

  /** Records the accesses of a statement; true if a barrier must come before it, which then has happened. */
  touch(s: Stmt): boolean {
    const { reads, writes } = this.accesses([s]);
    const any = (a: Iterable<number>, b: ReadonlySet<number>) => [...a].some((x) => b.has(x));
    const clash = any(reads, this.written) || any(writes, this.written) || any(writes, this.read);
    if (clash) this.clear();
    for (const x of reads) this.read.add(x);
    for (const x of writes) this.written.add(x);
    return clash;
  }

  /** A barrier was written. */
  clear(): void {
    this.read = new Set();
    this.written = new Set();
  }

  /** Writes a body that runs any number of times: it may have ended at any statement, or never have begun. */
  again(body: readonly Stmt[], write: () => void): void {
    const before = this.now();
    this.enter(body);
    const all = this.now();
    write();
    this.merge(before);
    this.merge(all);
  }

  /** At the start of a loop's body, everything in the body may have happened since the last barrier. */
  private enter(body: readonly Stmt[]): void {
    const { reads, writes } = this.accesses(body);
    for (const x of reads) this.read.add(x);
    for (const x of writes) this.written.add(x);
  }

  /** The accesses since the last barrier, for `merge` after a branch or a loop that may not have run. */
  now(): { readonly read: ReadonlySet<number>; readonly written: ReadonlySet<number> } {
    return { read: new Set(this.read), written: new Set(this.written) };
  }

  merge(other: ReturnType<Hazards["now"]>): void {
    for (const x of other.read) this.read.add(x);
    for (const x of other.written) this.written.add(x);
  }

  /** Continues from an earlier state: at the start of another branch. */
  restore(state: ReturnType<Hazards["now"]>): void {
    this.read = new Set(state.read);
    this.written = new Set(state.written);
  }

  private accesses(list: readonly Stmt[]): { reads: Set<number>; writes: Set<number> } {
    const out = { reads: new Set<number>(), writes: new Set<number>() };
    const home = (param: number) => (this.params[param].scratch ? param : -1);
    const visit = (s: Stmt): void => {
      if (s.kind === "load") out.reads.add(home(s.param));
      else if (s.kind === "store") out.writes.add(home(s.param));
      else if (s.kind === "for") s.body.forEach(visit);
      else if (s.kind === "while") [...s.test, ...s.body].forEach(visit);
      else if (s.kind === "if") [...s.then, ...(s.else ?? [])].forEach(visit);
    };
    list.forEach(visit);
    return out;
  }
}
