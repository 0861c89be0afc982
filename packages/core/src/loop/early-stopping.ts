import type { Tree } from "@reins/tensor";
import { restore, type Saved, type Snapshot, save } from "../snapshot.ts";

/**
 * Early stopping: keeps a copy of the weights with the lowest loss and, after `patience` losses in a row that are not lower, puts it back
 * and stops.
 */
export class EarlyStopping implements Saved {
  /** Whether training should end. The weights are then those of the lowest loss. */
  stopped = false;
  private lowest = Number.POSITIVE_INFINITY;
  private waited = 0;
  private best: Snapshot = null;
  private readonly weights: Tree;
  private readonly patience: number;

  constructor(weights: Tree, patience: number) {
    this.weights = weights;
    this.patience = patience;
  }

  /** Records a loss. */
  note(loss: number): void {
    if (this.stopped) return;
    if (loss < this.lowest) {
      this.lowest = loss;
      this.waited = 0;
      this.best = save(this.weights);
    } else if (++this.waited >= this.patience) {
      this.stopped = true;
      if (this.best !== null) restore(this.weights, this.best);
    }
  }

  save(): Snapshot {
    const { stopped, lowest, waited, best } = this;
    return { stopped, lowest, waited, best };
  }

  restore(from: Snapshot): void {
    const { stopped, lowest, waited, best } = from as {
      stopped: boolean;
      lowest: number;
      waited: number;
      best: Snapshot;
    };
    Object.assign(this, { stopped, lowest, waited, best });
  }
}
