import type { Batch } from "../batch.ts";
import { placed } from "../judges/step-verdict.ts";
import type { JudgedEpisode } from "../selection.ts";
import { episodesOf } from "./group.ts";

/** Rewards per step: those that a judge assigned to steps, otherwise the whole reward at the policy's last step. */
export function stepRewards(batch: Batch, judged: readonly JudgedEpisode[]): Float32Array {
  const { starts } = episodesOf(batch, "stepRewards");
  const out = new Float32Array(starts[starts.length - 1]);
  judged.forEach(({ episode, verdict, reward }, e) => {
    out.set(placed({ ...verdict, reward }, episode), starts[e]);
  });
  return out;
}
