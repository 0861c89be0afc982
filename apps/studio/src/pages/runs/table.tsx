import { useState } from "preact/hooks";
import { isNumeric, isSortable, titleOf } from "./columns.ts";
import { GroupRow } from "./group-row.tsx";
import type { RunGroup } from "./groups.ts";
import { Row } from "./row.tsx";
import type { RunsView } from "./view.ts";

/** Rows shown at first. */
const page = 100;

type Names = ReadonlySet<string>;

/** The list as a table with sortable columns. */
export function RunsTable(props: {
  groups: readonly RunGroup[];
  view: RunsView;
  picked: Names;
  pick(names: Names): void;
  sort(by: RunsView["sort"]): void;
}) {
  const { groups, view, picked, pick, sort } = props;
  const [shown, setShown] = useState(page);
  const [open, setOpen] = useState<Names>(new Set());
  const { key: by, down } = view.sort;
  const names = groups.flatMap(({ runs }) => runs.map(({ name }) => name));
  /** Selects some runs, or deselects them if all are selected. */
  const turn = (some: readonly string[]) => {
    const all = some.every((name) => picked.has(name));
    pick(new Set([...picked, ...some].filter((name) => !all || !some.includes(name))));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
    <section class="panel scroll" aria-label="Runs" tabIndex={0}>
      <table class="runs">
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label="Select all"
                checked={names.length > 0 && names.every((name) => picked.has(name))}
                onChange={() => turn(names)}
              />
            </th>
            {["name", ...view.columns].map((key) => (
              <th
                key={key}
                class={isNumeric(key) ? "number" : ""}
                aria-sort={by === key ? (down ? "descending" : "ascending") : "none"}
              >
                {isSortable(key) ? (
                  <button
                    type="button"
                    onClick={() => sort({ key, down: by === key ? !down : isNumeric(key) })}
                  >
                    {titleOf(key)}
                    {by === key && (down ? " ↓" : " ↑")}
                  </button>
                ) : (
                  titleOf(key)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, shown).flatMap((group) => {
            const isOpen = open.has(group.key);
            const members = group.runs.map((run) => (
              <Row
                key={run.name}
                run={run}
                columns={view.columns}
                inner={group.runs.length > 1}
                picked={picked.has(run.name)}
                pick={() => turn([run.name])}
              />
            ));
            if (group.runs.length === 1) return members;
            return [
              <GroupRow
                key={`group ${group.key}`}
                group={group}
                columns={view.columns}
                open={isOpen}
                picked={picked}
                pick={() => turn(group.runs.map(({ name }) => name))}
                toggle={() =>
                  setOpen(
                    new Set(isOpen ? [...open].filter((key) => key !== group.key) : [...open, group.key]),
                  )
                }
              />,
              ...(isOpen ? members : []),
            ];
          })}
        </tbody>
      </table>
      {groups.length === 0 && <p class="empty">No runs match. Clear the filter.</p>}
      {groups.length > shown && (
        <p class="empty">
          <button type="button" onClick={() => setShown(shown + 4 * page)}>
            Show more ({shown} of {groups.length} rows shown)
          </button>
        </p>
      )}
    </section>
  );
}
