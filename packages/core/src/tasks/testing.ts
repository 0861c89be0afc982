import type { JudgedEpisode } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import type { Task, TaskItem } from "../task.ts";

/** The samples of these problems, marked with their seeds; `reward` gives the reward of each sample. */
export function playsOf(
  problems: readonly TaskItem[],
  reward: (problem: TaskItem, play: number) => number,
): JudgedEpisode[] {
  return problems.flatMap((p) =>
    Array.from({ length: p.groupSize }, (_, i) =>
      played({ group: p.group, mark: p.seed, reward: reward(p, i) }),
    ),
  );
}

/** The next problems of a task. */
export const nextOf = (task: Task): readonly TaskItem[] => task.next(new Statistics());
