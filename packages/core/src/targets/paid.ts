import type { Tensor } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import { makers } from "../episode.ts";
import { fail } from "../errors.ts";
import type { JudgedEpisode } from "../selection.ts";
import { episodesOf } from "./group.ts";

/** Rewards where they were earned, one number a step: those a judge placed on steps, the others at the policy's last step. */
export function paid(batch: Batch, judged: readonly JudgedEpisode[]): Float32Array {
  const { starts } = episodesOf(batch, "paid");
  const by = (batch.columns.by as Tensor).data;
  const own = makers.indexOf("policy");
  const out = new Float32Array(by.length);
  judged.forEach(({ verdict, reward }, e) => {
    const { steps } = verdict;
    if (steps) {
      const count = starts[e + 1] - starts[e];
      if (steps.length !== count)
        fail(
          "paid",
          `a judge placed ${steps.length} rewards on an episode of ${count} steps. Give each step one.`,
        );
      out.set(steps, starts[e]);
      return;
    }
    let last = starts[e + 1] - 1;
    while (last > starts[e] && by[last] !== own) last--;
    out[last] = reward;
  });
  return out;
}
