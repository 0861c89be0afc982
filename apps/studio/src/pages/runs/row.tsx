import type { RunLine } from "@reins/studio/wire";
import { ago, compact, left } from "../../format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Spark } from "../../parts/spark.tsx";
import { href } from "../../route.ts";
import { cellText, titleOf } from "./columns.ts";
import { fieldOf } from "./fields.ts";

/** A run in the list. */
export function Row(props: {
  run: RunLine;
  columns: readonly string[];
  picked: boolean;
  /** Whether it is shown under its group. */
  inner?: boolean;
  pick(): void;
}) {
  const { run, columns, picked, inner, pick } = props;
  const { name, state } = run;
  const more = state === "unreadable" || state === "crashed" ? run.problem : run.given;
  return (
    <tr class={inner ? "link inner" : "link"}>
      <td class="pick">
        <input type="checkbox" aria-label={`Select ${name}`} checked={picked} onChange={pick} />
      </td>
      <td class="who">
        <div>
          <a class="name" href={href(["run", name])} title={name}>
            {name}
          </a>
          {run.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
          {more && (
            <span class={more === run.given ? "soft mono more" : "soft more"} title={more}>
              {more}
            </span>
          )}
        </div>
      </td>
      {columns.map((key) => (
        <Cell key={key} run={run} column={key} />
      ))}
    </tr>
  );
}

function Cell({ run, column }: { run: RunLine; column: string }) {
  const { state, steps, budget } = run;
  const value = fieldOf(run, column);
  const title = titleOf(column);
  if (column === "state")
    return (
      <td class="state">
        <Badge state={state} />
      </td>
    );
  if (column === "curve")
    return <td class="curve">{state !== "unreadable" && <Spark run={run.name} steps={steps} />}</td>;
  if (column === "created")
    return (
      <td class="soft" data-title={title} title={run.created}>
        {ago(run.created)}
      </td>
    );
  const note =
    column === "return" && run.fresh === null && run.return !== null
      ? "training"
      : column === "seconds" && run.left !== null
        ? `${left(run.left)} left`
        : undefined;
  return (
    <td
      class={typeof value === "number" ? "number" : "text"}
      data-title={title}
      title={column === "return" ? meaningOf(run) : typeof value === "string" ? value : undefined}
    >
      {cellText(column, value)}
      {note && <span class="soft"> {note}</span>}
      {column === "steps" && state === "running" && budget > 0 && (
        <div class="progress" title={`${Math.round((100 * steps) / budget)}% of ${compact(budget)}`}>
          <div style={{ width: `${Math.min(100, (100 * steps) / budget)}%` }} />
        </div>
      )}
    </td>
  );
}

const meaningOf = ({ fresh }: RunLine): string =>
  fresh === null
    ? "Mean return of the last training episodes"
    : "Mean return of the trained agent over evaluation episodes";
