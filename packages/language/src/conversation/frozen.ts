import type { Snapshot } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";

/** The weights of roles that do not learn: those that the model had when its first conversation was played, after any imitation. */
export class Frozen {
  private readonly first: GptParams;
  private kept: GptParams | undefined;

  constructor(first: GptParams) {
    this.first = first;
  }

  get params(): GptParams {
    return this.kept ?? this.first;
  }

  /** Keeps these, unless some are kept. */
  keep(weights: GptParams): void {
    this.kept ??= copied(weights);
  }

  save(): Snapshot {
    return (this.kept ?? null) as unknown as Snapshot;
  }

  restore(from: Snapshot): void {
    this.kept = from === null ? undefined : copied(from as unknown as GptParams);
  }
}

const copied = (params: GptParams): GptParams =>
  treeMap(
    (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }),
    params as unknown as Tree,
  ) as unknown as GptParams;
