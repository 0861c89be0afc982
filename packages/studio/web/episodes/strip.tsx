import { short } from "../words.ts";

/** A small curve of an episode with its lowest and its highest number, and a mark where one is. */
export function Strip(props: { title: string; about?: string; values: readonly number[]; at: number }) {
  const { title, about, values, at } = props;
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
        <b>{short(values[at])}</b>
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
          {high > low && <span title="The highest number of the episode">{short(high)}</span>}
          <span title={high > low ? "The lowest number of the episode" : "It is the same all the time"}>
            {short(low)}
          </span>
        </div>
      )}
    </div>
  );
}
