import { type Batch, fail, type JudgedEpisode } from "@reins/core";
import { groupEpisodes, ownSteps } from "@reins/core/episodes";
import * as targets from "@reins/core/targets";
import type { Settings } from "./options.ts";

/** One advantage per episode, from the chosen baseline and scale. */
export function advantages(
  { baseline, scale }: Pick<Settings, "baseline" | "scale">,
  batch: Batch,
  rewards: Float64Array,
  judged: readonly JudgedEpisode[],
): Float32Array {
  const groups = targets.groupsOf(batch);
  const own = compared(baseline, scale, groups, rewards, judged);
  switch (scale) {
    case "none":
      return own;
    case "batch":
      return targets.whitened(
        own,
        judged.map((j) => !isGreedy(j)),
      );
    case "std":
      return baseline === "mean" || baseline === "others" ? own : byDeviation(own, judged);
  }
}

/** Advantages per step: of whole samples, or of each turn relative to the same turn of the others. */
export function stepAdvantages(
  o: Pick<Settings, "baseline" | "scale" | "credit" | "turnDiscount">,
  batch: Batch,
  rewards: Float64Array,
  judged: readonly JudgedEpisode[],
): Float32Array {
  if (o.credit === "episode") return targets.spread(advantages(o, batch, rewards, judged), batch);
  const groups = targets.groupsOf(batch);
  return targets.turnAdvantages(batch, judged, o.turnDiscount.value, (returns, members) => {
    const index = { kind: "episodes" as const, starts: [0], groups: members.map((e) => groups[e]) };
    const some = members.map((e, i) => ({ ...judged[e], reward: returns[i] }));
    return advantages(o, { columns: {}, index }, returns, some);
  });
}

/** Throws if no completion is compared with another: each would be its own baseline, and every advantage 0. */
export function requireGroups(
  name: string,
  { groupSize, baseline }: Pick<Settings, "groupSize" | "baseline">,
  batch: Batch,
): void {
  if (groupSize > 1 || !["mean", "others", "length"].includes(baseline)) return;
  const groups = targets.groupsOf(batch);
  // Forks and demonstrations also make groups.
  if (new Set(groups).size === groups.length)
    fail(
      name,
      "groupSize is 1, so each completion is its own baseline and every advantage is 0. Set groupSize to at least 2, or baseline to batch, greedy or none.",
    );
}

/**
 * Divided by the standard deviation of each group's rewards; groups with equal rewards or one member are not
 * divided.
 */
function byDeviation(values: Float32Array, judged: readonly JudgedEpisode[]): Float32Array {
  const out = values.slice();
  for (const group of groupEpisodes(judged.map((j, i) => ({ ...j, i })))) {
    const rewards = group.filter((j) => !isGreedy(j)).map((j) => j.reward);
    const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
    const squares = rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0);
    if (squares === 0) continue;
    for (const { i } of group) out[i] /= Math.sqrt(squares / (rewards.length - 1)) + 1e-6;
  }
  return out;
}

function compared(
  baseline: Settings["baseline"],
  scale: Settings["scale"],
  groups: readonly number[],
  rewards: Float64Array,
  judged: readonly JudgedEpisode[],
): Float32Array {
  switch (baseline) {
    case "mean":
    case "others":
      return targets.groupRelative(rewards, groups, { baseline, scale: scale === "std" ? "std" : "none" });
    case "length":
      return targets.lengthWeighted(
        rewards,
        groups,
        judged.map((j) => ownSteps(j.episode)),
      );
    case "greedy":
      return targets.greedyBaseline(rewards, greedyRewards(judged));
    case "batch": {
      const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
      return Float32Array.from(rewards, (r) => r - mean);
    }
    case "none":
      return Float32Array.from(rewards);
  }
}

/** Whether an episode is a greedy rollout, used as a baseline. */
export const isGreedy = ({ episode }: JudgedEpisode): boolean => episode.role === "greedy";

/** The reward of each episode's greedy rollout. */
function greedyRewards(judged: readonly JudgedEpisode[]): Float64Array {
  const found = new Map<JudgedEpisode, number>();
  for (const group of groupEpisodes(judged)) {
    const reward = group.find(isGreedy)?.reward ?? 0;
    for (const j of group) found.set(j, reward);
  }
  return Float64Array.from(judged, (j) => found.get(j)!);
}
