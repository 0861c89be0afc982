let spans = 0;

/** A stretch of the x axis that several plots show. Null is all of it. */
export class Span {
  /** A name of its own. */
  readonly key = `span ${spans++}`;
  private now: readonly [number, number] | null = null;
  private readonly told = new Set<() => void>();

  get range(): readonly [number, number] | null {
    return this.now;
  }

  set range(range: readonly [number, number] | null) {
    this.now = range;
    for (const tell of this.told) tell();
  }

  /** Calls back whenever it changes, until that what is returned is called. */
  follow(tell: () => void): () => void {
    this.told.add(tell);
    return () => this.told.delete(tell);
  }
}
