import type { Snapshot } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";

/** Weights of roles that do not learn: the model's weights at its first rollout, after any imitation. */
export class Frozen {
  private readonly first: GptParams;
  private kept: GptParams | undefined;

  constructor(first: GptParams) {
    this.first = first;
  }

  get params(): GptParams {
    return this.kept ?? this.first;
  }

  /** Stores the weights, unless some are stored already. */
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
