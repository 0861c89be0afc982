import { tickText } from "./scale.ts";

/** Grid lines of a plot, with labels. */
export const Levels = (props: {
  ticks: readonly number[];
  from: number;
  to: number;
  y(value: number): number;
}) => (
  <>
    {props.ticks.map((t) => (
      <g key={t}>
        <line class="grid" x1={props.from} x2={props.to} y1={props.y(t)} y2={props.y(t)} />
        <text class="tick" x={props.from - 8} y={props.y(t) + 4} text-anchor="end">
          {tickText(t)}
        </text>
      </g>
    ))}
  </>
);
