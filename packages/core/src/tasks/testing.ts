import type { JudgedEpisode } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import type { Assignment, Task } from "../task.ts";

/** The plays of these problems, marked with their seeds; `reward` says what each play of a problem gets. */
export function playsOf(
  problems: readonly Assignment[],
  reward: (problem: Assignment, play: number) => number,
): JudgedEpisode[] {
  return problems.flatMap((p) =>
    Array.from({ length: p.plays }, (_, i) => played({ group: p.group, mark: p.seed, reward: reward(p, i) })),
  );
}

/** What a task asks for next. */
export const nextOf = (task: Task): readonly Assignment[] => task.next(new Statistics());
