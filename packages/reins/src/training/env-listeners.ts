import type { Snapshot, VectorEnv } from "@reins/core";
import { Wrapper } from "@reins/envs";
import type { EnvSource, Source } from "../places/source.ts";
import type { Listeners } from "./callbacks.ts";

/** Adds listeners to the training environments of a source; returns it unchanged without listeners or environments. */
export function withListeners(place: Source, listeners: Listeners): Source {
  if (!place.make || !listeners.watchesEnv) return place;
  const source: EnvSource = place;
  return {
    ...source,
    make: (rows) => new Observed(source.make(rows), listeners),
    // Evaluations are not observed.
    evaluation: source.evaluation ?? { spec: source.spec, make: (rows) => source.make(rows) },
  };
}

/** An environment that reports its steps and episodes, and otherwise delegates: checkpoints fit both. */
class Observed extends Wrapper {
  private readonly listeners: Listeners;

  constructor(inner: VectorEnv, listeners: Listeners) {
    super(inner);
    this.listeners = listeners;
  }

  protected override after(): void {
    const { listeners, ended, terminated, truncated } = this;
    if (listeners.watchesSteps) listeners.step(this);
    for (let row = 0; row < this.rows; row++) {
      const over = terminated.data[row] !== 0;
      if (over || truncated.data[row] !== 0)
        listeners.episode({ row, return: ended.return[row], length: ended.length[row], terminated: over });
    }
  }

  override save(): Snapshot {
    return this.inner.save();
  }

  override restore(from: Snapshot): void {
    this.inner.restore(from);
  }
}
