import type { LineLook } from "../../curves/colors.ts";
import { ticks } from "../../curves/ticks.ts";
import { short } from "../../format.ts";

/** A performance profile: the share of a group's runs above each score. */
interface Profile extends LineLook {
  readonly label: string;
  readonly profile: readonly number[];
}

/** Plots performance profiles: a curve that is higher everywhere is better under any metric. */
export function Profiles({ rows, levels }: { rows: readonly Profile[]; levels: readonly number[] }) {
  const x = (i: number) => 46 + (i / 100) * 540;
  const y = (share: number) => 170 - share * 150;
  return (
    <figure class="profiles">
      <figcaption>
        <h3>Performance profile</h3>
        <span class="soft">share of runs with a score above</span>
      </figcaption>
      <svg viewBox="0 0 600 200" role="img" aria-label="Share of runs above each score">
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1="46" x2="586" y1={y(share)} y2={y(share)} stroke="var(--line)" />
            <text x="38" y={y(share) + 4} text-anchor="end">
              {100 * share}%
            </text>
          </g>
        ))}
        {ticks(levels[0], levels[100], 6).map((level) => (
          <text
            key={level}
            x={x((100 * (level - levels[0])) / (levels[100] - levels[0]))}
            y="192"
            text-anchor="middle"
          >
            {short(level)}
          </text>
        ))}
        {rows.map(({ label, color, dash, profile: shares }) => (
          <path
            key={label}
            d={shares.map((s, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(s).toFixed(1)}`).join("")}
            fill="none"
            stroke={color}
            stroke-width="2"
            stroke-dasharray={dash?.join(" ")}
          />
        ))}
      </svg>
    </figure>
  );
}
