import type { RecipeArm, RecipeResult, RecipeSettings } from "@reins/studio/wire";
import { short } from "../../format.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { meanOf } from "../../recipes/points.ts";
import { Values } from "./values.tsx";

/** The arms of a recipe: means, settings, tuning and values of all seeds. */
export function Sides({ result }: { result: RecipeResult }) {
  const { sides, metrics, blocks, plan } = result;
  const counts = blocks.filter((b) => !b.isCheck);
  const names = Object.keys(metrics);
  const valuesOf = (side: string, metric: string) =>
    counts.flatMap((b) => (b.values[side]?.[metric] ?? []).filter((v) => v !== null));
  const all = counts.reduce((n, b) => n + b.replicates.length, 0);
  return (
    <>
      <Scroll title="Means">
        <table>
          <thead>
            <tr>
              <th>Arm</th>
              {names.map((m) => (
                <th key={m} class="number wrapped">
                  {metrics[m].about}
                  {metrics[m].better === "higher" ? "\u00a0↑" : "\u00a0↓"}
                </th>
              ))}
              <th>Settings</th>
            </tr>
          </thead>
          <tbody>
            {sides.map(({ name, role, settings }) => {
              const runs = valuesOf(name, names[0]).length;
              return (
                <tr key={name}>
                  <td>
                    <span class="name">{name}</span>
                    <div class="soft">
                      {role}
                      {runs < all && `, ${runs} of ${all} seeds`}
                    </div>
                  </td>
                  {names.map((m) => (
                    <td key={m} class="number">
                      {valuesOf(name, m).length ? short(meanOf(valuesOf(name, m))) : "–"}
                    </td>
                  ))}
                  <td class="mono">{settingsText(settings)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p class="soft small-print">
          {plan.replicates} replicates per block. {plan.needed} detect the smallest relevant effect with 80%
          power
          {plan.most !== undefined && `; the time budget allows ${plan.most}`}.
        </p>
      </Scroll>
      <Values result={result} />
      <div class="panel">
        <h2>Tuning</h2>
        <p class="soft">
          Tuned on {metrics[result.tuned]?.about ?? result.tuned}, with seeds from 50. All arms start with a
          grid of equal size; the best points get more seeds. Points beyond an edge and halfway to the
          neighbours of the best point are added, so the counts below can differ slightly.
        </p>
        {sides
          .filter((s) => s.points)
          .map((side) => (
            <Tuning key={side.name} side={side} better={metrics[result.tuned]?.better ?? "higher"} />
          ))}
      </div>
    </>
  );
}

function Tuning({ side, better }: { side: RecipeArm; better: "higher" | "lower" }) {
  const { name, settings, points = [], rivals = [], edges = [] } = side;
  const sign = better === "higher" ? -1 : 1;
  const ranked = points
    .map((p) => ({ ...p, mean: meanOf(p.values.map((v) => v ?? Number.NaN)) }))
    .sort((a, b) => sign * (a.mean - b.mean));
  const same = (a: RecipeSettings, b: RecipeSettings) => JSON.stringify(a) === JSON.stringify(b);
  const markOf = (s: RecipeSettings) =>
    same(s, settings) ? "chosen" : rivals.some((r) => same(r, s)) ? "tied" : "";
  return (
    <details>
      <summary>
        {name}: {points.length} {points.length === 1 ? "point" : "points"}
        {edges.length > 0 && `, best at the edge of ${edges.join(", ")}`}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys */}
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Settings</th>
              <th class="number">Mean</th>
              <th class="number">Seeds</th>
              <th>Choice</th>
            </tr>
          </thead>
          <tbody>
            {ranked.map((p, i) => (
              <tr key={i}>
                <td class="mono">{settingsText(p.settings)}</td>
                <td class="number">{short(p.mean)}</td>
                <td class="number">{p.values.length}</td>
                <td class="soft">{markOf(p.settings)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const settingsText = (settings: RecipeSettings): string =>
  Object.entries(settings)
    .map(([name, v]) => `${name} ${typeof v === "number" ? short(v) : String(v)}`)
    .join(", ") || "–";
