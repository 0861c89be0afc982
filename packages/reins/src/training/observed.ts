import type { Snapshot, VectorEnv } from "@reins/core";
import { Wrapper } from "@reins/envs";
import type { EnvSource, Source } from "../places/source.ts";
import type { Listeners } from "./callbacks.ts";

/** The place with listeners at its training environments; where nobody listens, and where nothing is stepped, it is as it was. */
export function observed(place: Source, listeners: Listeners): Source {
  if (!place.make || !listeners.watchesEnv) return place;
  const source: EnvSource = place;
  return {
    ...source,
    make: (rows) => new Observed(source.make(rows), listeners),
    // Where an agent is measured nobody is told.
    evaluation: source.evaluation ?? { spec: source.spec, make: (rows) => source.make(rows) },
  };
}

/** An environment that tells of its steps and episodes, and is the inner one in all else: a checkpoint of one fits the other. */
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
