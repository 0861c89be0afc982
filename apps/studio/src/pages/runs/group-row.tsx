import { ago } from "../../format.ts";
import { Badge } from "../../parts/badge.tsx";
import { intervalText } from "../../statistics/interval.ts";
import { cellText, titleOf } from "./columns.ts";
import { fieldOf } from "./fields.ts";
import { groupName, intervalIn, type RunGroup, seedsOf, seedText } from "./groups.ts";

/** Runs that differ only in the seed, as one row: means over seeds, with the 95% interval of the return. */
export function GroupRow(props: {
  group: RunGroup;
  columns: readonly string[];
  open: boolean;
  picked: ReadonlySet<string>;
  toggle(): void;
  pick(): void;
}) {
  const { group, columns, open, picked, toggle, pick } = props;
  const name = groupName(group);
  const { given } = group.runs[0];
  const chosen = group.runs.filter((run) => picked.has(run.name)).length;
  return (
    <tr class="link group-row">
      <td class="pick">
        <input
          type="checkbox"
          aria-label={`Select all ${group.runs.length} runs of ${name}`}
          checked={chosen === group.runs.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < group.runs.length;
          }}
          onChange={pick}
        />
      </td>
      <td class="who">
        <div>
          <button type="button" class="plain fold" aria-expanded={open} onClick={toggle}>
            <span aria-hidden="true">{open ? "▾" : "▸"}</span> <b>{name}</b>
          </button>
          <span class="tag">{countText(group)}</span>
          {given && (
            <span class="soft mono more" title={given}>
              {given}
            </span>
          )}
        </div>
      </td>
      {columns.map((key) => (
        <GroupCell key={key} group={group} column={key} />
      ))}
    </tr>
  );
}

function GroupCell({ group, column }: { group: RunGroup; column: string }) {
  const title = titleOf(column);
  if (column === "curve") return <td class="curve" />;
  if (column === "state")
    return (
      <td class="state">
        <States group={group} />
      </td>
    );
  if (column === "created")
    return (
      <td class="soft" data-title={title} title="The newest of the runs">
        {ago(
          group.runs
            .map((run) => run.created)
            .sort()
            .at(-1)!,
        )}
      </td>
    );
  if (column === "seed")
    return (
      <td class="number" data-title={title}>
        {seedText(group)}
      </td>
    );
  const interval = intervalIn(group, column);
  if (interval)
    return (
      <td class="number" data-title={title} title={`Mean of ${interval.n}: ${intervalText(interval)}`}>
        {cellText(column, interval.mean)}
        {interval.n > 1 && interval.high > interval.low && !plain.includes(column) && (
          <div class="soft small">{intervalText(interval)}</div>
        )}
      </td>
    );
  const values = [...new Set(group.runs.map((run) => fieldOf(run, column)))];
  return (
    <td class="text" data-title={title}>
      {values.length === 1 ? cellText(column, values[0]) : `${values.length} values`}
    </td>
  );
}

/** Columns that show a mean without an interval. */
const plain = ["steps", "budget", "stepsPerSecond", "seconds"];

function States({ group: { runs } }: { group: RunGroup }) {
  const counts = new Map<string, number>();
  for (const { state } of runs) counts.set(state, (counts.get(state) ?? 0) + 1);
  if (counts.size === 1) return <Badge state={runs[0].state} />;
  return (
    <>
      {[...counts].map(([state, n]) => (
        <Badge key={state} state={state} count={n} />
      ))}
    </>
  );
}

function countText(group: RunGroup): string {
  const [runs, seeds] = [group.runs.length, seedsOf(group).length];
  return runs === seeds
    ? `n = ${seeds} seeds`
    : `${runs} runs, n = ${seeds} ${seeds === 1 ? "seed" : "seeds"}`;
}
