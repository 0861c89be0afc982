import { short } from "../format.ts";

/** A small curve of an episode with its minimum and maximum, and a mark at the current step. */
export function Strip(props: {
  title: string;
  about?: string;
  values: readonly number[];
  /** Labels of discrete values. */
  names?: readonly string[];
  at: number;
}) {
  const { title, about, values, names, at } = props;
  const said = (value: number) => names?.[value] ?? short(value);
  const known = values.filter(Number.isFinite);
  const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const x = (i: number) => (values.length > 1 ? (i / (values.length - 1)) * 300 : 150);
  const y = (v: number) => 36 - (high > low ? (v - low) / (high - low) : 0.5) * 32;
  const begins = (i: number) => i === 0 || !Number.isFinite(values[i - 1]);
  const path = values
    .map((v, i) =>
      Number.isFinite(v) ? `${begins(i) ? "M" : "L"}${x(i).toFixed(1)} ${y(v).toFixed(1)}` : "",
    )
    .join("");
  return (
    <div class="strip">
      <div class="strip-head">
        <span class="soft" title={about}>
          {title}
        </span>
        <b>{said(values[at])}</b>
      </div>
      <svg viewBox="0 0 300 40" preserveAspectRatio="none" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="var(--accent)"
          stroke-width="1.5"
          vector-effect="non-scaling-stroke"
        />
        <line x1={x(at)} x2={x(at)} y1="0" y2="40" stroke="var(--ink)" vector-effect="non-scaling-stroke" />
      </svg>
      {known.length > 0 && (
        <div class="strip-scale soft">
          {high > low && <span title="Maximum of the episode">{said(high)}</span>}
          <span title={high > low ? "Minimum of the episode" : "Constant"}>{said(low)}</span>
        </div>
      )}
    </div>
  );
}
