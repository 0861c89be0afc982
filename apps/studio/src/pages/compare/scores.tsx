import { fillOf } from "../../curves/colors.ts";
import { short } from "../../format.ts";
import { intervalText } from "../../statistics/interval.ts";
import { Profiles } from "./profiles.tsx";
import type { Scores } from "./score-table.ts";

/** Scores of groups as a table, which is also the legend of the curves. */
export function ScoreTable({ table: { rows, scaled } }: { table: Scores }) {
  const alone = rows.every(({ n }) => n <= 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
    <section class="panel scores" aria-label="Scores" tabIndex={0}>
      <table class="compact">
        <thead>
          <tr>
            <th>{alone ? "Run" : "Group"}</th>
            {!alone && <th class="number">Seeds</th>}
            <th class="number">{alone ? "Return" : "Mean"}</th>
            {!alone && <th>95% CI</th>}
            {!alone && <th class="number wide-only">IQM</th>}
            {!alone && <th class="wide-only">95% CI</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, color, dash, n, mean, low, high, middle, interval }) => (
            <tr key={label}>
              <th scope="row" title={label}>
                <i class="dot" style={{ background: fillOf({ color, dash }) }} /> {breakable(label)}
              </th>
              {!alone && <td class="number">{n}</td>}
              <td class="number">{n > 0 ? short(mean) : "–"}</td>
              {!alone && <td>{n > 1 ? intervalText({ low, high }).replace("95% CI ", "") : "–"}</td>}
              {!alone && <td class="number wide-only">{n > 0 ? short(middle) : "–"}</td>}
              {!alone && (
                <td class="wide-only">
                  {n > 1 ? intervalText({ low: interval[0], high: interval[1] }).replace("95% CI ", "") : "–"}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft small">
        Evaluation return of the trained agent, or training return if it was not evaluated.
        {!alone && " Mean with Student's 95% CI over seeds; IQM: interquartile mean, 95% CI bootstrapped."}
        {scaled &&
          " Tasks differ: scores are scaled from 0 (lowest) to 1 (highest) for each task; tasks with equal scores are left out."}
      </p>
    </section>
  );
}

/** Performance profiles of the groups. */
export function ScoreProfiles({ table: { rows, levels, apart } }: { table: Scores }) {
  if (apart || !rows.some(({ n }) => n > 2)) return null;
  return (
    <section class="panel">
      <Profiles rows={rows.filter(({ n }) => n > 0)} levels={levels} />
    </section>
  );
}

/** A label that breaks after equals signs on narrow screens. */
const breakable = (label: string) =>
  label.split("=").flatMap((part, i) => (i ? ["=", <wbr key={i} />, part] : [part]));
