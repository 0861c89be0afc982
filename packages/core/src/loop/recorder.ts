import { type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";
import { joinRows } from "../batch.ts";
import { type Episode, type Maker, makers, type Segment } from "../episode.ts";
import type { Value } from "../space.ts";

/** One step to record: trees of tensors [1, …], which the recorder keeps, and plain numbers. */
export type StepRecord = { readonly [name: string]: Tree | number };

/** What an episode has besides its steps. */
export type EpisodeOutcome = Omit<Episode, "columns" | "segments" | "return"> & {
  readonly return?: readonly number[];
};

/** Records an episode step by step: columns grow by name, segments open and close, branches begin at earlier steps. */
export class EpisodeRecorder {
  private readonly moments: Record<string, Tree>[] = [];
  private readonly segments: {
    from: number;
    to: number;
    context?: Value;
    parent?: Segment["parent"];
    owner?: number;
  }[] = [];

  /** Number of recorded steps. */
  get steps(): number {
    return this.moments.length;
  }

  /** Begins a segment. Without one, everything is in a single segment. */
  open(options: { context?: Value; parent?: Segment["parent"]; owner?: number } = {}): number {
    this.segments.push({ from: this.steps, to: this.steps, ...options });
    return this.segments.length - 1;
  }

  /** Adds a step and what made it. */
  add(moment: StepRecord, by: Maker = "policy", version = 0): number {
    if (this.segments.length === 0) this.open();
    const columns: Record<string, Tree> = {
      by: tensor(Uint8Array.of(makers.indexOf(by)), { dtype: "u8" }),
      version: tensor(Int32Array.of(version), { dtype: "i32" }),
    };
    for (const [name, value] of Object.entries(moment))
      columns[name] = typeof value === "number" ? tensor(Float32Array.of(value)) : value;
    this.moments.push(columns);
    this.segments[this.segments.length - 1].to = this.steps;
    return this.steps - 1;
  }

  /** The episode. Its return is the sum of the column `reward` unless the outcome sets it. */
  finish(outcome: EpisodeOutcome): Episode {
    const names = Object.keys(this.moments[0] ?? {});
    const [first, ...rest] = this.moments;
    const columns = Object.fromEntries(
      names.map((n) => [n, treeMap((...parts) => joinRows(parts), first[n], ...rest.map((m) => m[n]))]),
    );
    const reward = columns.reward as Tensor | undefined;
    const width = reward && reward.shape.length > 1 ? reward.shape[1] : 1;
    const total = new Array<number>(width).fill(0);
    reward?.data.forEach((r, i) => (total[i % width] += r));
    return { return: total, ...outcome, columns, segments: this.segments.map((s) => ({ ...s })) };
  }
}
