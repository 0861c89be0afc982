import { groupEpisodes, type JudgedEpisode, type Selection, scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task, TaskItem } from "../task.ts";

/** Settings of {@link rounds}. */
export interface RoundsOptions {
  /** Samples per problem and round (default 8). */
  readonly groupSize?: number;
  /** Maximum number of rounds per update (default 4). */
  readonly most?: number;
  /** Samples per problem that are trained on (default 4). */
  readonly keep?: number;
  /** When a problem has enough samples. `balanced`: half of the kept ones are correct, half wrong. `positive`: one is correct. */
  readonly enough?: "balanced" | "positive";
  /** Score from which a sample is correct (default 1). */
  readonly least?: number;
}

/**
 * Another task's problems, sampled in rounds: problems with enough samples retire, the others are sampled again (Reinforce-Ada, Xiong et
 * al., 2025). A few samples of each problem are kept, half of them correct if possible; problems with equal outcomes are dropped. The
 * mean reward of all samples of the problem is set in the verdicts as `baseline`, which `targets.againstBaseline` reads. It is task and
 * selection in one: pass it as both.
 */
export function rounds(inner: Task, options: RoundsOptions = {}): Task & Selection {
  const { groupSize = 8, most = 4, keep = 4, enough = "balanced", least = 1 } = options;
  const isRight = (j: JudgedEpisode) => scoreOf(j) >= least;
  let active: TaskItem[] = [];
  let [played, phase] = [0, 0];
  const isDone = (group: readonly JudgedEpisode[]) => {
    const right = group.filter(isRight).length;
    if (enough === "positive") return right > 0;
    return right >= Math.floor(keep / 2) && group.length - right >= Math.ceil(keep / 2);
  };
  return {
    next(statistics) {
      if (played === 0)
        active = inner
          .next(statistics)
          .map((p, i) => ({ ...p, groupSize, group: p.group ?? `${phase}:${i}` }));
      played++;
      return active;
    },
    observe: (judged) => inner.observe?.(judged),
    select(judged) {
      const groups = groupEpisodes(judged);
      const done = new Set(groups.filter(isDone).map((g) => g[0].episode.group));
      active = active.filter((p) => !done.has(p.group));
      if (active.length > 0 && played < most) return undefined;
      played = 0;
      phase++;
      return groups.flatMap((group) => diverse(group, isRight, keep));
    },
    save: (): Snapshot => ({ inner: inner.save?.() ?? null, phase }),
    restore(from) {
      const s = from as { inner: Snapshot; phase: number };
      if (s.inner !== null) inner.restore?.(s.inner);
      phase = s.phase;
      played = 0;
    },
  };
}

/** At most `keep` samples of both outcomes, as balanced as possible; none if all outcomes are equal. */
function diverse(
  group: readonly JudgedEpisode[],
  isRight: (j: JudgedEpisode) => boolean,
  keep: number,
): JudgedEpisode[] {
  const right = group.filter(isRight);
  const wrong = group.filter((j) => !isRight(j));
  if (right.length === 0 || wrong.length === 0) return [];
  const baseline = group.reduce((sum, j) => sum + j.reward, 0) / group.length;
  const rights = Math.max(Math.floor(keep / 2), keep - wrong.length);
  const kept = right.slice(0, rights);
  return [...kept, ...wrong.slice(0, keep - kept.length)].map((j) => ({
    ...j,
    verdict: { ...j.verdict, baseline },
  }));
}
