import { Scroll } from "../../parts/scroll.tsx";
import type { Difference, Group } from "./groups.ts";
import { settingsOf } from "./names.ts";

/** Settings in which the groups differ: those that the user set, and all others on request. */
export function Differences({ groups, differ }: { groups: readonly Group[]; differ: readonly Difference[] }) {
  const names = differ.filter(({ name }) => name !== "seed");
  if (groups.length < 2) return null;
  const typed = names.filter((d) => d.typed);
  const others = names.filter((d) => !d.typed);
  return (
    <Scroll title="Settings that differ">
      {names.length === 0 && <p class="soft">None: the settings are the same.</p>}
      {typed.length > 0 && <Table groups={groups} names={typed} />}
      {typed.length === 0 && others.length > 0 && (
        <p class="soft">None among the settings given in commands.</p>
      )}
      {others.length > 0 && (
        <details class="more-settings">
          <summary>
            {others.length} other {others.length === 1 ? "setting" : "settings"}, not given in a command
          </summary>
          <Table groups={groups} names={others} />
        </details>
      )}
    </Scroll>
  );
}

const Table = ({ groups, names }: { groups: readonly Group[]; names: readonly Difference[] }) => (
  <table class="compact">
    <thead>
      <tr>
        <th>Setting</th>
        {groups.map(({ label }) => (
          <th key={label}>{label}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {names.map(({ name }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {groups.map(({ label, runs }) => (
            <td key={label} class="mono">
              {[...new Set(runs.map((run) => settingsOf(run).get(name) ?? "–"))].join(" | ")}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
