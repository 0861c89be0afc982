import type { TuningDetail } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { ticks } from "../../curves/ticks.ts";
import { short } from "../../format.ts";
import { labelsOf, placeOf } from "./scale.ts";
import { scoreScale, type TrialRow } from "./trial-rows.ts";

const [left, right, top, bottom] = [56, 584, 14, 214];

/** A scatter plot of scores over one setting. */
export function Scatter(props: {
  tuning: TuningDetail;
  trials: readonly TrialRow[];
  chosen: number | undefined;
  choose(trial: number): void;
}) {
  const { tuning, trials, chosen, choose } = props;
  const share = (name: string) => tuning.importance?.[name] ?? 0;
  const space = [...tuning.space].sort((a, b) => share(b.name) - share(a.name));
  const [name, setName] = useState<string>();
  const dimension = space.find((d) => d.name === name) ?? space[0];
  if (!dimension) return null;
  const { low, high, place } = scoreScale(trials);
  const x = (at: number) => left + 12 + at * (right - left - 24);
  const y = (at: number) => bottom - at * (bottom - top);
  const known = tuning.importance?.[dimension.name];
  return (
    <section class="panel">
      <div class="head">
        <h2>Return by setting</h2>
        <span class="space" />
        <label>
          Setting
          <select value={dimension.name} onChange={(e) => setName(e.currentTarget.value)}>
            {space.map((d) => (
              <option key={d.name} value={d.name}>
                {d.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <svg
        class="scatter-plot"
        viewBox="0 0 600 240"
        role="img"
        aria-label={`Return over ${dimension.name}; the table lists all trials`}
      >
        {ticks(low, high, 4).map((score) => (
          <g key={score}>
            <line x1={left} x2={right} y1={y(place(score)!)} y2={y(place(score)!)} />
            <text x={left - 6} y={y(place(score)!) + 4} text-anchor="end">
              {short(score)}
            </text>
          </g>
        ))}
        {labelsOf(dimension).map(({ place: at, text }) => (
          <text key={text} x={x(at)} y={234} text-anchor="middle">
            {text}
          </text>
        ))}
        {trials.map(({ trial, settings, score }) => {
          const at = placeOf(dimension, settings[dimension.name]);
          if (at === undefined) return null;
          const height = place(score);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the rows of the table do the same by keys
            <circle
              key={trial}
              class={trial === chosen ? "chosen" : height === undefined ? "failed" : ""}
              cx={x(at)}
              cy={y(height ?? 0)}
              r={trial === chosen ? 6 : 4}
              onClick={() => choose(trial)}
            >
              <title>{`Trial ${trial}: ${settings[dimension.name]}, ${score === null ? "failed" : short(score)}`}</title>
            </circle>
          );
        })}
      </svg>
      {known !== undefined && known !== null && (
        <p class="soft small">
          {dimension.name} explains {Math.round(100 * known)}% of the variance between trials.
        </p>
      )}
    </section>
  );
}
