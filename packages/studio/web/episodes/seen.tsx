import type { EpisodeData } from "../../src/wire.ts";
import { Strip } from "./strip.tsx";

/** What the agent saw and did, as curves: the picture of an environment that draws none, such as a market or a queue. */
export function Seen({ data, step }: { data: EpisodeData; step: number }) {
  const curves = [...curvesOf("observation", data), ...curvesOf("action", data)];
  if (curves.length === 0) return <p class="empty">This environment draws nothing.</p>;
  return (
    <div class="seen" role="img" aria-label="What was seen and done, step by step">
      {curves.map(({ title, values }) => (
        <Strip key={title} title={title} values={values} at={step} />
      ))}
    </div>
  );
}

/** Each number of a column as a curve over the steps. */
export function curvesOf(
  name: string,
  { columns }: Pick<EpisodeData, "columns">,
): { title: string; values: number[] }[] {
  const column = columns[name];
  const steps = column?.shape[0] ?? 0;
  if (!column || steps === 0) return [];
  const each = column.data.length / steps;
  return Array.from({ length: each }, (_, k) => ({
    title: each === 1 ? name : `${name} ${k}`,
    values: Array.from({ length: steps }, (_, i) => Number(column.data[i * each + k])),
  }));
}
