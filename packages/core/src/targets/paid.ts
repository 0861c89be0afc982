import type { Tensor } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import { makers } from "../episode.ts";
import type { JudgedEpisode } from "../selection.ts";
import { episodesOf } from "./group.ts";

/** Rewards where they were earned, one number a step: those a judge placed on steps, the others at the policy's last step. */
export function paid(batch: Batch, judged: readonly JudgedEpisode[]): Float32Array {
  const { starts } = episodesOf(batch, "paid");
  const by = (batch.columns.by as Tensor).data;
  const own = makers.indexOf("policy");
  const out = new Float32Array(by.length);
  judged.forEach(({ verdict, reward }, e) => {
    if (verdict.steps) return out.set(verdict.steps, starts[e]);
    let last = starts[e + 1] - 1;
    while (last > starts[e] && by[last] !== own) last--;
    out[last] = reward;
  });
  return out;
}
