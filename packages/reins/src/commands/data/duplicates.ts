import { textHash } from "@reins/core/examples";
import type { Example } from "@reins/language";

/** Finds repeated examples, and prompts that are in both splits or in several files, by hashes of 53 bits. */
export class Duplicates {
  private readonly wholes: Float64Array;
  private readonly prompts: Float64Array;
  /** The side of each example: a bit for training, one for test; 0 if it has none. */
  private readonly sides: Uint8Array;
  /** Indices of the first file's end: later files count as the test side, if no line names its split. */
  private readonly first: number;
  private readonly files: number;
  private count = 0;

  constructor(counts: readonly number[]) {
    const all = counts.reduce((a, b) => a + b, 0);
    this.wholes = new Float64Array(all);
    this.prompts = new Float64Array(all);
    this.sides = new Uint8Array(all);
    this.first = counts[0];
    this.files = counts.length;
  }

  add(example: Example, index: number): void {
    const { split, ...rest } = example;
    const at = this.count++;
    this.wholes[at] = hash53(JSON.stringify(rest));
    this.prompts[at] = hash53(promptText(example));
    const inLater = this.files > 1 && index >= this.first;
    this.sides[at] = split === undefined ? (inLater ? 2 : this.files > 1 ? 1 : 0) : split === "test" ? 2 : 1;
  }

  /** Examples that repeat an earlier one, and held-out prompts that are also trained on, with the first of them. */
  found(): { readonly repeated: number; readonly leaked: number; readonly leaks: readonly number[] } {
    const { count } = this;
    const wholes = this.wholes.slice(0, count).sort();
    let repeated = 0;
    for (let i = 1; i < count; i++) if (wholes[i] === wholes[i - 1]) repeated++;
    // Prompts of the training side, sorted, to search in.
    const trained = this.prompts
      .slice(0, count)
      .filter((_, i) => this.sides[i] === 1)
      .sort();
    const leaks: number[] = [];
    let leaked = 0;
    for (let i = 0; i < count; i++)
      if (this.sides[i] === 2 && has(trained, this.prompts[i])) {
        leaked++;
        if (leaks.length < 5) leaks.push(i);
      }
    return { repeated, leaked, leaks };
  }
}

/** Whether a sorted array has a value. */
function has(sorted: Float64Array, value: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle] < value) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === value;
}

/** A hash whose collisions are unlikely among millions of texts. */
const hash53 = (text: string): number =>
  textHash(text) * 2 ** 21 + (textHash(`${text.length}${text}`) >>> 11);

/** The text that must not be in both splits. */
function promptText(example: Example): string {
  if (example.kind === "document") return example.text;
  if (example.kind === "conversation") {
    const last = example.messages.map((m) => m.role).lastIndexOf("assistant");
    return JSON.stringify(example.messages.slice(0, last));
  }
  return JSON.stringify(example.prompt);
}
