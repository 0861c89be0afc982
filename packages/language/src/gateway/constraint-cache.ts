import { bytesOf } from "../generation/constraints/index.ts";
import type { Constraint } from "../generation/sequence.ts";

/** Compiled constraints by the text of what they were made from. Those used longest ago are dropped where all hold more bytes than the limit. */
export class ConstraintCache {
  private readonly kept = new Map<string, Constraint>();
  private readonly limit: number;

  /** `limit` is in bytes (default 128 MiB). Constraints grow as they are used, so it is checked whenever one is asked for. */
  constructor(limit = 2 ** 27) {
    this.limit = limit;
  }

  /** How many there are. */
  get size(): number {
    return this.kept.size;
  }

  /** The constraint of a key, made where it is not known. */
  of(key: string, make: () => Constraint): Constraint {
    const found = this.kept.get(key) ?? make();
    // The last in the order of the map is the one used last.
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
