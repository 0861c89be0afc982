import type { RecipeBlock, RecipeColumn, RecipeEffect } from "@reins/studio/wire";
import { short } from "../format.ts";
import { Levels } from "./levels.tsx";
import { blockClass, meanOf, pointsOf } from "./points.ts";
import { scaleOf } from "./scale.ts";
import { wrapped } from "./wrap.ts";

const [width, plain, left, right, top, bottom] = [340, 230, 52, 16, 10, 40];

/** Values of both arms, with a line for each seed; or of one arm, with the bound of its claim. */
export function Pairs(props: {
  effect: RecipeEffect;
  columns: readonly RecipeColumn[];
  blocks: readonly RecipeBlock[];
}) {
  const { effect, columns, blocks } = props;
  const points = pointsOf(columns, blocks);
  const isAlone = columns.length === 1;
  const bounds = isAlone ? boundsOf(effect) : [];
  const names = columns.map(({ label, about = "" }) => ({
    label: wrapped(label, 20, 2),
    about: wrapped(about, 24, 3),
  }));
  const more = 14 * Math.max(...names.map((n) => n.label.length + n.about.length - 1));
  const height = plain + more;
  const foot = bottom + more;
  const scale = scaleOf([...bounds, ...points.flatMap((p) => p.values)], effect.isRatio);
  const y = (v: number) => top + (1 - scale.at(v)) * (height - top - foot);
  const span = width - left - right;
  const x = (column: number) => (isAlone ? left + span / 2 : left + span * (0.22 + 0.56 * column));
  // A single column spreads its points.
  const at = (column: number, i: number) =>
    x(column) + (isAlone ? ((i + 0.5) / points.length - 0.5) * span * 0.7 : 0);
  const counts = points.filter((p) => !blocks[p.block].isCheck);
  const means = columns.map((_, c) => meanOf(counts.map((p) => p.values[c])));
  const words = columns.map(({ label, about = "" }, c) => `${label} ${about}: mean ${short(means[c])}`);
  // Checks are drawn below the other points.
  const drawn = points.map((p, i) => ({ ...p, i })).reverse();
  const faint = Math.max(0.16, Math.min(0.55, 12 / points.length));
  return (
    <svg
      class="points"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`All seeds. ${words.join("; ")}`}
    >
      <Levels ticks={scale.ticks} from={left} to={width - right} y={y} />
      {bounds.map((v) => (
        <line key={v} class="mark" x1={left} x2={width - right} y1={y(v)} y2={y(v)} />
      ))}
      {!isAlone &&
        drawn.map(({ name, block, values: [a, b] }) => {
          if (!Number.isFinite(a + b)) return null;
          const kind = blockClass(blocks[block], block);
          return (
            <line
              key={`${block} ${name}`}
              class={`join ${kind}`}
              opacity={faint}
              x1={x(0)}
              x2={x(1)}
              y1={y(a)}
              y2={y(b)}
            />
          );
        })}
      {drawn.map(({ name, block, values, i }) =>
        values.map(
          (v, c) =>
            Number.isFinite(v) && (
              <circle
                key={`${block} ${name} ${c}`}
                class={`point ${blockClass(blocks[block], block)}`}
                cx={at(c, i)}
                cy={y(v)}
                r={points.length > 80 ? 2.5 : 3.5}
              >
                <title>{`seed ${name}, ${columns[c].label}: ${short(v)}`}</title>
              </circle>
            ),
        ),
      )}
      {columns.map(({ label }, c) => (
        <g key={c}>
          {Number.isFinite(means[c]) && (
            <line class="mean" x1={x(c) - 20} x2={x(c) + 20} y1={y(means[c])} y2={y(means[c])} />
          )}
          <title>{label}</title>
          {[...names[c].label, ...names[c].about].map((line, k) => (
            <text
              key={k}
              class={k < names[c].label.length ? "side" : "tick"}
              x={x(c)}
              y={height - foot + 20 + 14 * k}
              text-anchor="middle"
            >
              {line}
            </text>
          ))}
          <text class="tick" x={x(c)} y={height - 4} text-anchor="middle">
            mean {short(means[c])}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The bounds of a claim about one arm. */
const boundsOf = ({ shown }: RecipeEffect) => shown.filter((v): v is number => v !== null);
