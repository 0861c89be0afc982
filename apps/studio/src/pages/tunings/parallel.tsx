import type { TuningDetail } from "@reins/studio/wire";
import { short } from "../../format.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { labelsOf, placeOf } from "./scale.ts";
import { scoreScale, type TrialRow } from "./trial-rows.ts";

const [gap, top, height] = [150, 34, 220];

/** Parallel coordinates: an axis for each setting and one for the score, a line for each trial. */
export function Parallel(props: {
  tuning: TuningDetail;
  trials: readonly TrialRow[];
  chosen: number | undefined;
  choose(trial: number): void;
}) {
  const { tuning, trials, chosen, choose } = props;
  const { space } = tuning;
  const { low, high, place } = scoreScale(trials);
  const x = (i: number) => 70 + i * gap;
  const y = (at: number) => top + (1 - at) * height;
  const width = x(space.length) + 80;
  const pathOf = ({ settings, score }: TrialRow) => {
    const places = [...space.map((d) => placeOf(d, settings[d.name])), place(score) ?? 0];
    const points = places.flatMap((at, i) => (at === undefined ? [] : [`${x(i)} ${y(at).toFixed(1)}`]));
    return `M${points.join("L")}`;
  };
  // The best and the selected trials are drawn on top.
  const drawn = [...trials].reverse().sort((a, b) => Number(a.trial === chosen) - Number(b.trial === chosen));
  return (
    <Scroll title="Parallel coordinates">
      <svg
        class="parallel"
        viewBox={`0 0 ${width} ${top + height + 12}`}
        style={{ minWidth: `${Math.min(width, 110 * (space.length + 1))}px` }}
        role="img"
        aria-label={`Settings and scores of ${trials.length} trials; the table lists them`}
      >
        {drawn.map((trial) => {
          const at = place(trial.score);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the rows of the table do the same by keys
            <path
              key={trial.trial}
              class={trial.trial === chosen ? "chosen" : at === undefined ? "failed" : ""}
              d={pathOf(trial)}
              style={
                at === undefined ? undefined : { opacity: trial.trial === chosen ? 1 : 0.12 + 0.7 * at ** 2 }
              }
              onClick={() => choose(trial.trial)}
            >
              <title>{`Trial ${trial.trial}: ${trial.score === null ? "failed" : short(trial.score)}`}</title>
            </path>
          );
        })}
        {[...space, undefined].map((d, i) => {
          const labels = d
            ? labelsOf(d)
            : [
                { place: 0, text: short(low) },
                { place: 1, text: short(high) },
              ];
          return (
            <g key={d?.name ?? ""}>
              <line x1={x(i)} x2={x(i)} y1={top} y2={top + height} />
              <text class="axis" x={x(i)} y={14} text-anchor="middle">
                {d?.name ?? "return"}
              </text>
              {labels.map(({ place: at, text }) => (
                <text key={text} x={x(i) - 6} y={y(at) + 4} text-anchor="end">
                  {text}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
    </Scroll>
  );
}
