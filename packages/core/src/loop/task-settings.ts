import type { AlgorithmContext } from "../algorithm.ts";
import type { Batch } from "../batch.ts";
import { LiveColumn } from "../signals/live.ts";
import { episodesOf } from "../targets/group.ts";
import type { StepTargets } from "./episode-columns.ts";

/** Writes a column for each per-task setting: each step gets the value of its episode's task. */
export function taskSettings(
  context: AlgorithmContext,
): (batch: Batch, episodes: readonly { readonly task?: string }[]) => StepTargets {
  const own = Object.values(context.settings ?? {}).filter(
    (s): s is LiveColumn => s instanceof LiveColumn && s.scope === "task",
  );
  for (const s of own) s.supplied = true;
  return (batch, episodes) => {
    if (own.length === 0) return {};
    const { starts } = episodesOf(batch, "episodic");
    return Object.fromEntries(
      own.map((s) => {
        const values = new Float32Array(starts[starts.length - 1]);
        episodes.forEach(({ task }, e) => {
          values.fill(s.for(task), starts[e], starts[e + 1]);
        });
        return [s.column, values];
      }),
    );
  };
}
