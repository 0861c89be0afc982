import type { RecipeResult } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { short } from "../../format.ts";

/** The values of all seeds as a table. */
export function Values({ result: { metrics, sides, blocks } }: { result: RecipeResult }) {
  const names = [
    ...new Set([
      ...Object.keys(metrics),
      ...sides.flatMap((s) => Object.keys(blocks[0].values[s.name] ?? {})),
    ]),
  ];
  const [metric, setMetric] = useState(names[0]);
  return (
    <details class="panel">
      <summary>Values of all seeds</summary>
      <div class="toolbar">
        <label>
          Value
          <select value={metric} onChange={(e) => setMetric(e.currentTarget.value)}>
            {names.map((name) => (
              <option key={name} value={name}>
                {metrics[name]?.about ?? name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys */}
      <div class="scroll tall" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Seed</th>
              {sides.map((s) => (
                <th key={s.name} class="number">
                  {s.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {blocks.flatMap((b) =>
              b.replicates.map((seed, i) => (
                <tr key={`${b.firstSeed} ${seed}`}>
                  <td>
                    {seed}
                    {b.isCheck && <span class="soft"> check</span>}
                  </td>
                  {sides.map(({ name }) => {
                    const how = b.failed?.[name]?.[seed];
                    const value = b.values[name]?.[metric]?.[i];
                    return (
                      <td key={name} class="number" title={how}>
                        {short(value)}
                        {how && <span class="soft"> diverged</span>}
                      </td>
                    );
                  })}
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}
