import type { Saved, Snapshot } from "@reins/core";
import type { Auxiliary, Round } from "@reins/core/loops";
import type { LiveColumn } from "@reins/core/settings";
import { restore, save } from "@reins/core/snapshots";
import type { AssignedLevel, LevelTeacher } from "./level-teacher.ts";

/** Discounts for the advantage estimates. */
export interface LevelScoring {
  readonly gamma: LiveColumn;
  readonly lambda: LiveColumn;
  /** Total number of rounds. */
  readonly rounds: number;
}

/** Statistics of the episode under way in a row. */
type Open = { sum: number; count: number; earned: number };

/**
 * Connects a level teacher, an environment and an on-policy method: assigns each row its next level, and reports
 * to the teacher after each round the critic's error on completed levels, the mean of |advantage| by GAE (the "l1
 * value loss" of Jiang et al., 2021).
 */
export class LevelAssignment<L> implements Saved {
  private readonly teacher: LevelTeacher<L>;
  private assigned: AssignedLevel<L>[][] = [];
  private open: Open[] = [];

  constructor(teacher: LevelTeacher<L>) {
    this.teacher = teacher;
  }

  /** The next level of a row; environments call it once per episode. */
  readonly level = (row: number): L => {
    const next = this.teacher.next();
    (this.assigned[row] ??= []).push(next);
    return next.level;
  };

  /** Callbacks for the parts of an on-policy method. */
  beside({ rollout, updates }: Round, { gamma, lambda, rounds }: LevelScoring): Auxiliary {
    return {
      learn: () => {
        this.teacher.progress = Math.min(1, updates.data[0] / rounds);
        this.score(rollout.columns as unknown as LevelGrid, gamma.for(undefined), lambda.for(undefined));
      },
      metrics: {},
      parts: { levels: this },
    };
  }

  /** Processes a grid [time, rows] of steps. */
  score(grid: LevelGrid, gamma: number, lambda: number): void {
    const [time, rows] = grid.reward.shape;
    const advantage = new Float64Array(time);
    for (let row = 0; row < rows; row++) {
      const at = (column: Column, t: number) => column.data[t * rows + row];
      const over = (t: number) => at(grid.terminated, t) || at(grid.truncated, t);
      let ahead = 0;
      for (let t = time - 1; t >= 0; t--) {
        const ended = over(t);
        // The value after the grid is unknown, so the last error is taken as 0.
        const next = at(grid.terminated, t)
          ? 0
          : ended
            ? at(grid.bootstrap, t)
            : t + 1 < time
              ? at(grid.value, t + 1)
              : (at(grid.value, t) - at(grid.reward, t)) / gamma;
        const error = at(grid.reward, t) + gamma * next - at(grid.value, t);
        ahead = error + (ended ? 0 : gamma * lambda * ahead);
        advantage[t] = ahead;
      }
      for (let t = 0; t < time; t++) {
        const open = (this.open[row] ??= { sum: 0, count: 0, earned: 0 });
        open.sum += Math.abs(advantage[t]);
        open.count++;
        open.earned += at(grid.reward, t);
        if (!over(t)) continue;
        const played = this.assigned[row].shift();
        if (played) this.teacher.update(played, open.sum / open.count, open.earned);
        this.open[row] = { sum: 0, count: 0, earned: 0 };
      }
    }
  }

  save(): Snapshot {
    return { teacher: this.teacher.save(), assigned: save(this.assigned), open: save(this.open) };
  }

  restore(from: Snapshot): void {
    const s = from as { readonly [name: string]: Snapshot };
    restore(this.teacher, s.teacher);
    this.assigned = save(s.assigned) as unknown as AssignedLevel<L>[][];
    this.open = save(s.open) as unknown as Open[];
  }
}

/** A column of a grid, [time, rows]. */
interface Column {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** Columns from which levels are scored. */
export type LevelGrid = {
  readonly [name in "reward" | "value" | "terminated" | "truncated" | "bootstrap"]: Column;
};
