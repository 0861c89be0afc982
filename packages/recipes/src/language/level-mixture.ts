import type { Snapshot, Task } from "@reins/core";
import { defaultSeed, stream } from "@reins/core/random";
import * as tasks from "@reins/core/tasks";

/** Problems of several levels, in equal shares. */
export function mixed(levels: readonly number[], groups: number, groupSize = 1, seed = defaultSeed): Task {
  const parts = levels.map((level, i) =>
    tasks.endless({
      seed: stream(seed, "tasks", i),
      groups: Math.floor(groups / levels.length) + (i < groups % levels.length ? 1 : 0),
      groupSize,
      more: { key: `level ${level}`, context: { level } },
    }),
  );
  return {
    next: (statistics) => parts.flatMap((p) => p.next(statistics)),
    save: () => parts.map((p) => p.save!()),
    restore: (from) => parts.forEach((p, i) => p.restore!((from as Snapshot[])[i])),
  };
}
