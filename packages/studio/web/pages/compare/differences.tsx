import type { RunDetail } from "../../../src/wire.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { href } from "../../route.ts";

/** Settings in which runs differ, and no others. */
export function Differences(props: {
  runs: readonly RunDetail[];
  differ: readonly { name: string; values: readonly string[] }[];
}) {
  const { runs, differ } = props;
  if (runs.length < 2) return null;
  return (
    <Scroll title="Where they differ">
      {differ.length === 0 ? (
        <p class="soft">In nothing: their settings are the same.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Run</th>
              {differ.map(({ name }) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run, i) => (
              <tr key={run.name}>
                <th scope="row">
                  <a href={href(["run", run.name])}>{run.name}</a>
                </th>
                {differ.map(({ name, values }) => (
                  <td key={name} class="mono">
                    {values[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scroll>
  );
}
