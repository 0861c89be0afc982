import { useMemo } from "preact/hooks";
import { fillOf, type LineLook, lineLook } from "../../curves/colors.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { summary } from "../../statistics/resample.ts";
import { bootstrap, interquartileMean, profile, type Scores } from "../../statistics/robust.ts";
import { short } from "../../words.ts";
import type { Group } from "./groups.ts";
import { Profiles } from "./profiles.tsx";

/** Scores of groups: mean and interquartile mean with intervals, and how many runs are above each level. */
export function ScoreTable({ groups }: { groups: readonly Group[] }) {
  const { rows, levels, several } = useMemo(() => tableOf(groups), [groups]);
  if (rows.length === 0) return null;
  const alone = rows.every(({ n }) => n === 1);
  return (
    <Scroll title="Scores">
      <p class="soft">
        Of each run the return of its trained agent over fresh episodes, or that of training where it was not
        measured
        {several &&
          "; tasks differ, so that scores are put between the lowest (0) and the highest (1) of each, and tasks without two scores that differ are left out"}
        .
      </p>
      <table>
        <thead>
          <tr>
            <th>Group</th>
            <th class="number">Runs</th>
            <th class="number">{alone ? "Score" : "Mean (95%)"}</th>
            {!alone && <th class="number">Interquartile mean (95%)</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, color, dash, n, mean, half, middle, interval }) => (
            <tr key={label}>
              <th scope="row">
                <i class="dot" style={{ background: fillOf({ color, dash }) }} /> {label}
              </th>
              <td class="number">{n}</td>
              <td class="number">
                {short(mean)} {n > 1 && <span class="soft">± {short(half)}</span>}
              </td>
              {!alone && (
                <td class="number">
                  {short(middle)}{" "}
                  {n > 1 && (
                    <span class="soft">
                      {short(interval[0])} to {short(interval[1])}
                    </span>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.some(({ n }) => n > 2) && <Profiles rows={rows} levels={levels} />}
    </Scroll>
  );
}

interface Row extends LineLook {
  readonly label: string;
  readonly n: number;
  readonly mean: number;
  readonly half: number;
  readonly middle: number;
  readonly interval: readonly [number, number];
  readonly profile: readonly number[];
}

/** Scores by group, and within it by task; of several tasks each between its lowest and its highest. */
function tableOf(groups: readonly Group[]): { rows: Row[]; levels: number[]; several: boolean } {
  const all = groups.flatMap(({ runs }) => runs);
  const tasks = [...new Set(all.map(({ env }) => env))];
  const several = tasks.length > 1;
  const scoreOf = (run: (typeof all)[number]) => run.fresh ?? run.return;
  const ends = new Map(
    tasks.map((task) => {
      const known = all.filter(({ env }) => env === task).flatMap((r) => scoreOf(r) ?? []);
      return [task, [Math.min(...known), Math.max(...known)]] as const;
    }),
  );
  const scaled = (score: number, task: string) => {
    const [low, high] = ends.get(task)!;
    return several ? (score - low) / (high - low) : score;
  };
  const compared = tasks.filter((task) => !several || ends.get(task)![0] < ends.get(task)![1]);
  const tables = groups.map(({ label, runs }, i) => {
    const scores: Scores = compared
      .map((task) =>
        runs
          .filter(({ env }) => env === task)
          .flatMap((r) => scoreOf(r) ?? [])
          .map((s) => scaled(s, task)),
      )
      .filter((list) => list.length > 0);
    return { label, ...lineLook(i), scores };
  });
  const flat = tables.flatMap(({ scores }) => scores.flat());
  const [low, high] = [Math.min(...flat), Math.max(...flat)];
  const levels = Array.from({ length: 101 }, (_, i) => low + ((high - low) * i) / 100);
  const rows = tables
    .filter(({ scores }) => scores.length > 0)
    .map(({ scores, ...look }) => ({
      ...{ ...look, n: scores.flat().length, ...summary(scores.flat()) },
      middle: interquartileMean(scores),
      interval: bootstrap(scores, interquartileMean),
      profile: profile(scores, levels),
    }));
  return { rows, levels, several };
}
