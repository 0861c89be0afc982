import { type LineLook, lineLook } from "../../curves/colors.ts";
import { type Interval, intervalOf, scoreOf, seedValues } from "../../statistics/interval.ts";
import { bootstrap, interquartileMean, profile } from "../../statistics/robust.ts";
import type { Group } from "./groups.ts";

/** The scores of a group. Without scores, `n` is 0 and the numbers are NaN. */
export interface ScoreRow extends LineLook, Interval {
  readonly label: string;
  /** The interquartile mean, and its bootstrapped 95% interval. */
  readonly middle: number;
  readonly interval: readonly [number, number];
  readonly profile: readonly number[];
}

/** The scores of some groups. */
export interface Scores {
  readonly rows: readonly ScoreRow[];
  /** The scores at which profiles are evaluated. */
  readonly levels: readonly number[];
  /** Whether scores are scaled, because a group has several tasks. */
  readonly scaled: boolean;
  /** Whether groups have different tasks, one each, whose scores are not comparable. */
  readonly apart: boolean;
}

/**
 * Scores by group and task, one per seed. If a group has several tasks, scores are scaled from the lowest to the highest
 * of each task.
 */
export function scoreTable(groups: readonly Group[]): Scores {
  const all = groups.flatMap(({ runs }) => runs);
  const tasks = [...new Set(all.map(({ env }) => env))];
  const isScaled = groups.some(({ runs }) => new Set(runs.map(({ env }) => env)).size > 1);
  const ends = new Map(
    tasks.map((task) => {
      const known = all.filter(({ env }) => env === task).flatMap((run) => scoreOf(run) ?? []);
      return [task, [Math.min(...known), Math.max(...known)]] as const;
    }),
  );
  const scaled = (score: number, task: string) => {
    const [low, high] = ends.get(task)!;
    return isScaled ? (score - low) / (high - low) : score;
  };
  const compared = tasks.filter((task) => !isScaled || ends.get(task)![0] < ends.get(task)![1]);
  const tables = groups.map(({ label, runs }, i) => {
    const scores = compared
      .map((task) =>
        seedValues(
          runs.filter(({ env }) => env === task),
          scoreOf,
        ).map((score) => scaled(score, task)),
      )
      .filter((list) => list.length > 0);
    return { label, ...lineLook(i), scores, range: isScaled ? undefined : runs[0]?.returnBounds };
  });
  const flat = tables.flatMap(({ scores }) => scores.flat());
  const [low, high] = [Math.min(...flat), Math.max(...flat)];
  const levels = Array.from({ length: 101 }, (_, i) => low + ((high - low) * i) / 100);
  const rows = tables.map(({ scores, range, ...look }) => ({
    ...look,
    ...intervalOf(scores.flat(), range),
    middle: interquartileMean(scores),
    interval: intervalIn(scores),
    profile: profile(scores, levels),
  }));
  return { rows, levels, scaled: isScaled, apart: !isScaled && tasks.length > 1 };
}

function intervalIn(scores: readonly (readonly number[])[]): readonly [number, number] {
  // One score has no interval.
  if (scores.flat().length < 2) return [Number.NaN, Number.NaN];
  return bootstrap(scores, interquartileMean);
}
