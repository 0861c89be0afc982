import { bytesOf } from "../generation/constraints/index.ts";
import type { Constraint } from "../generation/sequence.ts";

/**
 * Compiled constraints by their source text. The least recently used are evicted when all together exceed the byte
 * limit.
 */
export class ConstraintCache {
  private readonly kept = new Map<string, Constraint>();
  private readonly limit: number;

  /** `limit` is in bytes (default 128 MiB). Constraints grow with use, so it is checked at every lookup. */
  constructor(limit = 2 ** 27) {
    this.limit = limit;
  }

  /** Number of cached constraints. */
  get size(): number {
    return this.kept.size;
  }

  /** The constraint of a key, compiled on the first use. */
  of(key: string, make: () => Constraint): Constraint {
    const found = this.kept.get(key) ?? make();
    // Maps iterate in insertion order: the last entry is the most recently used.
    this.kept.delete(key);
    this.kept.set(key, found);
    let bytes = 0;
    for (const [own, constraint] of [...this.kept].reverse()) {
      bytes += own.length + bytesOf(constraint);
      if (bytes > this.limit && own !== key) this.kept.delete(own);
    }
    return found;
  }
}
