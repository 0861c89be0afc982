import { short } from "../words.ts";

/** A small curve of an episode with a mark where one is. */
export function Strip({ title, values, at }: { title: string; values: readonly number[]; at: number }) {
  const known = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (i: number) => (values.length > 1 ? (i / (values.length - 1)) * 300 : 150);
  const y = (v: number) => 36 - (high > low ? (v - low) / (high - low) : 0.5) * 32;
  const path = values
    .map((v, i) => (Number.isFinite(v) ? `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}` : ""))
    .join("");
  return (
    <div class="strip">
      <span class="soft">{title}</span>
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
      <b>{short(values[at])}</b>
    </div>
  );
}
