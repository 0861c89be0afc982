import type { RecipeEffect } from "@reins/studio/wire";
import { short } from "../format.ts";
import { scaleOf } from "./scale.ts";
import { classOf } from "./states.ts";

const [rowHeight, top, foot] = [16, 10, 22];

/** The anchor of a label outwards of its mark, or below it where the label would leave the plot. */
function outwards(isLeft: boolean, at: number): "start" | "middle" | "end" {
  if (at < 0.15 || at > 0.85) return "middle";
  return isLeft ? "end" : "start";
}

/** An effect with its interval, overall and by block, with marks at no effect and at the smallest relevant effect. */
export function Interval({ effect, blocks }: { effect: RecipeEffect; blocks: readonly RecipeEffect[] }) {
  const { middle, size, shown, isRatio } = effect;
  const rows = [effect, ...blocks];
  const marks = size === null ? [middle] : [middle, middle + size, middle - size];
  const scale = scaleOf([...marks, ...rows.flatMap((r) => [r.low ?? Number.NaN, r.high ?? Number.NaN])]);
  const x = (v: number) => `${(100 * Math.min(1, Math.max(0, scale.at(v)))).toFixed(2)}%`;
  const said = (v: number) => (isRatio ? `×${short(Math.exp(v))}` : short(v));
  const height = top + rowHeight * rows.length + foot;
  const [from, to] = [shown[0] === null ? 0 : scale.at(shown[0]), shown[1] === null ? 1 : scale.at(shown[1])];
  return (
    <svg
      class="interval"
      height={height}
      role="img"
      aria-label={`${effect.text}, 95% interval; ${effect.verdict}`}
    >
      <rect
        class="region"
        x={`${100 * from}%`}
        width={`${100 * (to - from)}%`}
        y={0}
        height={height - foot + 4}
        rx={4}
      />
      {marks.map((v) => (
        <line
          key={v}
          class={v === middle ? "zero" : "mark"}
          x1={x(v)}
          x2={x(v)}
          y1={0}
          y2={height - foot + 4}
        />
      ))}
      {apart(marks, scale.at).map((v) => (
        <text
          key={v}
          class="tick"
          x={x(v)}
          y={height - 4}
          text-anchor={v === middle ? "middle" : outwards(v < middle, scale.at(v))}
        >
          {said(v)}
        </text>
      ))}
      {rows.map(({ estimate, low, high, verdict, text }, i) => {
        if (estimate === null || low === null || high === null) return null;
        const y = top + rowHeight * i;
        return (
          <g key={i} class={`verdict ${classOf(verdict)} ${i === 0 ? "whole" : "block"}`}>
            <title>{text}</title>
            <line x1={x(low)} x2={x(high)} y1={y} y2={y} />
            <circle cx={x(estimate)} cy={y} r={i === 0 ? 5.5 : 3} />
          </g>
        );
      })}
    </svg>
  );
}

/** The numbers whose labels do not overlap; earlier ones have priority. */
function apart(all: readonly number[], at: (v: number) => number): number[] {
  const taken: number[] = [];
  for (const v of all) if (taken.every((other) => Math.abs(at(v) - at(other)) > 0.035)) taken.push(v);
  return taken;
}

/** An interval for the table, in units of the smallest relevant effect, from −4 to 4. */
export function SmallInterval({ effect }: { effect: RecipeEffect }) {
  const { estimate, low, high, middle, size, shown, verdict } = effect;
  if (size === null || estimate === null || low === null || high === null) return null;
  const x = (v: number) => 80 + 19 * Math.max(-4, Math.min(4, (v - middle) / size));
  const [from, to] = [x(shown[0] ?? -1e300), x(shown[1] ?? 1e300)];
  return (
    <svg class="interval small" width={160} height={20} aria-hidden="true">
      <rect class="region" x={from} width={to - from} y={1} height={18} rx={3} />
      {[-1, 1].map((k) => (
        <line key={k} class="mark" x1={80 + 19 * k} x2={80 + 19 * k} y1={1} y2={19} />
      ))}
      <line class="zero" x1={80} x2={80} y1={1} y2={19} />
      <g class={`verdict ${classOf(verdict)} whole`}>
        <line x1={x(low)} x2={x(high)} y1={10} y2={10} />
        <circle cx={x(estimate)} cy={10} r={4} />
      </g>
    </svg>
  );
}
