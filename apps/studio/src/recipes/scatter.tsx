import type { RecipeBlock, RecipeColumn } from "@reins/studio/wire";
import { short } from "../format.ts";
import { Levels } from "./levels.tsx";
import { blockClass, pointsOf } from "./points.ts";
import { scaleOf, tickText } from "./scale.ts";
import { clip } from "./wrap.ts";

const [width, height, left, right, top, bottom] = [320, 230, 52, 16, 22, 40];

/** A scatter plot of two values of each seed. */
export function Scatter({
  columns,
  blocks,
}: {
  columns: readonly RecipeColumn[];
  blocks: readonly RecipeBlock[];
}) {
  const points = pointsOf(columns, blocks).filter(({ values }) => values.every(Number.isFinite));
  const [across, up] = columns.map((_, c) => scaleOf(points.map((p) => p.values[c])));
  const x = (v: number) => left + across.at(v) * (width - left - right);
  const y = (v: number) => top + (1 - up.at(v)) * (height - top - bottom);
  const [first, second] = columns.map(({ label, about = label }) => clip(about, 44));
  return (
    <svg
      class="points"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`All seeds: ${second} over ${first}`}
    >
      <Levels ticks={up.ticks} from={left} to={width - right} y={y} />
      {across.ticks.map((t) => (
        <text key={t} class="tick" x={x(t)} y={height - 22} text-anchor="middle">
          {tickText(t)}
        </text>
      ))}
      {points.map(({ name, block, values }) => (
        <circle
          key={`${block} ${name}`}
          class={`point ${blockClass(blocks[block], block)}`}
          cx={x(values[0])}
          cy={y(values[1])}
          r={3.5}
        >
          <title>{`seed ${name}: ${short(values[0])}, ${short(values[1])}`}</title>
        </circle>
      ))}
      <text class="side" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
        {first}
      </text>
      <text class="side" x={left} y={12}>
        {second}
      </text>
    </svg>
  );
}
