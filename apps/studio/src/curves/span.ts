let spans = 0;

/** The range of the x axis that several plots share; null is the full range. */
export class Span {
  /** A unique name. */
  readonly key = `span ${spans++}`;
  private now: readonly [number, number] | null = null;
  private readonly listeners = new Set<() => void>();

  get range(): readonly [number, number] | null {
    return this.now;
  }

  set range(range: readonly [number, number] | null) {
    this.now = range;
    for (const listener of this.listeners) listener();
  }

  /** Calls a listener after changes. Returns a function that removes it. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
