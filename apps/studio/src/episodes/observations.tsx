import type { EpisodeData } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { Strip } from "./strip.tsx";

/** Number of curves shown at first. */
const first = 8;

/** Observations and actions of an episode as curves over its steps. */
export function Observations({ data, step }: { data: EpisodeData; step: number }) {
  const [all, setAll] = useState(false);
  const columns = Object.keys(data.columns);
  const observed = columns.filter((name) => /^observation(\.|$)/.test(name));
  const curves = [...curvesOf("action", data), ...observed.flatMap((name) => curvesOf(name, data))];
  if (curves.length === 0) return null;
  const shown = all ? curves : curves.slice(0, first);
  return (
    <section class="seen" aria-label="Observations and actions">
      <h2>Actions and observations</h2>
      <div class="strips">
        {shown.map(({ title, values, names }) => (
          <Strip key={title} title={title} values={values} names={names} at={step} />
        ))}
      </div>
      {curves.length > first && (
        <button type="button" class="plain" onClick={() => setAll(!all)}>
          {all ? `Show the first ${first}` : `Show all ${curves.length} curves`}
        </button>
      )}
      <p class="soft">
        {observed.length === 0
          ? "Observations of this episode were not recorded: they are too large, or the file is from an earlier version."
          : "Observations after wrappers such as normalisation, as the agent receives them."}
      </p>
    </section>
  );
}

/** A component of a column over the steps; `names` label the values of a discrete action. */
export interface EpisodeCurve {
  readonly title: string;
  readonly values: readonly number[];
  readonly names?: readonly string[];
}

/** The components of a column as curves, titled by label or index. */
export function curvesOf(
  name: string,
  { columns, labels }: Pick<EpisodeData, "columns" | "labels">,
): EpisodeCurve[] {
  const column = columns[name];
  const steps = column?.shape[0] ?? 0;
  if (!column || steps === 0) return [];
  const each = column.data.length / steps;
  const given = labels[name];
  // The labels of a discrete action are those of its values.
  const isChoice = column.shape.length === 1 && given !== undefined;
  const part = name.replace(/^observation\./, "");
  const prefix = part === name ? "" : `${part} `;
  return Array.from({ length: each }, (_, k) => ({
    title: !isChoice && given?.length === each ? `${prefix}${given[k]}` : each === 1 ? part : `${part} ${k}`,
    values: Array.from({ length: steps }, (_, i) => Number(column.data[i * each + k])),
    ...(isChoice ? { names: given } : {}),
  }));
}
