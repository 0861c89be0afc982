import type { TuningDetail } from "@reins/studio/wire";
import { compact, short } from "../../format.ts";
import { Scroll } from "../../parts/scroll.tsx";
import type { TrialRow } from "./trial-rows.ts";

/** Maximum number of rows. */
const most = 200;

/** The table of trials; a row selects its trial. */
export function Trials(props: {
  tuning: TuningDetail;
  trials: readonly TrialRow[];
  chosen: number | undefined;
  choose(trial: number): void;
}) {
  const { tuning, trials, chosen, choose } = props;
  return (
    <Scroll title="Trials">
      <table class="compact">
        <thead>
          <tr>
            <th>Trial</th>
            <th class="number">Return</th>
            <th class="number">Steps</th>
            {tuning.space.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trials.slice(0, most).map(({ trial, score, scores, steps, settings, failed }) => (
            <tr key={trial} class={trial === chosen ? "link picked" : "link"}>
              <th scope="row">
                <button type="button" aria-pressed={trial === chosen} onClick={() => choose(trial)}>
                  {trial}
                </button>
                {trial === tuning.bestTrial && <span class="tag typed">best</span>}
              </th>
              <td
                class="number"
                title={failed ?? `Mean of ${scores.length} seeds: ${scores.map((s) => short(s)).join(", ")}`}
              >
                {score === null ? (failed === undefined ? "running" : "failed") : short(score)}
              </td>
              <td class="number">{compact(steps)}</td>
              {tuning.space.map(({ name }) => {
                const value = settings[name];
                return (
                  <td key={name} class="mono">
                    {typeof value === "number" ? String(value) : (value ?? "–")}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {trials.length > most && (
        <p class="soft">
          Showing the best {most} of {trials.length} trials.
        </p>
      )}
    </Scroll>
  );
}
