import type { RunLine } from "../../../src/wire.ts";
import { Badge } from "../../parts/badge.tsx";
import { Spark } from "../../parts/spark.tsx";
import { href } from "../../route.ts";
import { ago, compact, duration, left, short } from "../../words.ts";

/** A run in the list. */
export function Row({ run, picked, pick }: { run: RunLine; picked: boolean; pick(): void }) {
  const { name, state, steps, budget } = run;
  return (
    <tr class="link">
      <td class="pick">
        <input type="checkbox" aria-label={`Choose ${name}`} checked={picked} onChange={pick} />
      </td>
      <td class="who">
        <a class="name" href={href(["run", name])}>
          {name}
        </a>{" "}
        {run.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
        <div class="soft">
          {state === "unreadable" ? run.problem : `${run.algorithm} on ${run.env}, seed ${run.seed}`}
          {run.given && (
            <div class="mono given" title={run.given}>
              {run.given.split(/ (?=--)/).map((flag) => (
                <span key={flag}>{flag} </span>
              ))}
            </div>
          )}
        </div>
      </td>
      <td class="state">
        <Badge state={state} />
        {state === "crashed" && (
          <div class="soft cause" title={run.problem}>
            {run.problem}
          </div>
        )}
      </td>
      <td
        class="number"
        data-title="Return"
        title={
          run.fresh === null
            ? "of the last episodes of training"
            : "of the trained agent, over fresh episodes"
        }
      >
        {short(run.fresh ?? run.return)}
        {run.fresh === null && run.return !== null && <div class="soft">training</div>}
      </td>
      <td class="number" data-title="Steps">
        {compact(steps)}
        {state === "running" && budget > 0 && (
          <div class="progress" title={`${Math.round((100 * steps) / budget)}% of ${compact(budget)}`}>
            <div style={{ width: `${Math.min(100, (100 * steps) / budget)}%` }} />
          </div>
        )}
      </td>
      <td class="number" data-title="Speed">
        {run.stepsPerSecond === null ? "–" : `${compact(run.stepsPerSecond)}/s`}
      </td>
      <td class="number" data-title="Time">
        {duration(run.seconds)}
        {run.left !== null && <div class="soft">{left(run.left)} left</div>}
      </td>
      <td class="soft when" data-title="Begun">
        {ago(run.created)}
      </td>
      <td class="curve">{state !== "unreadable" && <Spark run={name} steps={steps} />}</td>
    </tr>
  );
}
