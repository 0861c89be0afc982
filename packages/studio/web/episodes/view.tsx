import { useEffect, useState } from "preact/hooks";
import type { EpisodeData, EpisodeLine } from "../../src/wire.ts";
import { get, ofRun } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { compact, short } from "../words.ts";
import { Picture } from "./picture.tsx";
import { Strip } from "./strip.tsx";

/** An episode of a run at one moment, which somebody else chooses. */
export function EpisodeView(props: {
  run: string;
  /** Which one; the last if absent. */
  number: number | undefined;
  at: number;
  choose(number: number): void;
  /** Told how long it is. */
  loaded(steps: number): void;
}) {
  const { run, number, at, choose, loaded } = props;
  const [list, setList] = useState<readonly EpisodeLine[]>();
  const [data, setData] = useState<EpisodeData>();
  const [error, setError] = useState<string>();
  const fail = (e: Error) => setError(e.message);
  useEffect(() => {
    setList(undefined);
    setError(undefined);
    get<EpisodeLine[]>(ofRun(run, "episodes")).then(setList, fail);
  }, [run]);
  const shown = number ?? list?.at(-1)?.number;
  useEffect(() => {
    if (shown === undefined) return;
    let over = false;
    setData(undefined);
    setError(undefined);
    get<EpisodeData>(ofRun(run, "episodes", shown)).then((d) => {
      if (over) return;
      setData(d);
      loaded(lengthOf(d));
    }, fail);
    return () => {
      over = true;
    };
  }, [run, shown]);
  if (list?.length === 0) return <p class="empty">No episode of {run} was recorded.</p>;
  const step = data ? Math.min(at, lengthOf(data) - 1) : 0;
  const frame = data?.frames[Math.min(Math.floor(step / data.every), data.frames.length - 1)];
  return (
    <section class="panel" aria-label={`Episode of ${run}`}>
      <div class="row" style={{ marginBottom: "12px" }}>
        <b>{run}</b>
        <select
          aria-label="Episode"
          value={shown}
          onChange={(e) => choose(Number(e.currentTarget.value))}
          disabled={!list}
        >
          {list?.map((e) => (
            <option key={e.number} value={e.number}>
              after {compact(e.steps)} steps: return {e.return.map(short).join(", ")}
            </option>
          ))}
        </select>
      </div>
      {error && <Notice bad>{error}</Notice>}
      {data && <Picture frame={frame} label={`Step ${step} of the episode`} />}
      {data && <Moment data={data} step={step} />}
    </section>
  );
}

/** What was done and paid at one step, and what the agent thought. */
function Moment({ data, step }: { data: EpisodeData; step: number }) {
  const { columns } = data;
  const rewards = numbersOf(columns.reward);
  let sum = 0;
  const totals = rewards.map((r) => (sum += r));
  const action = at(columns.action, step);
  const chances = at(columns.probabilities, step);
  const values = columns.value ? numbersOf(columns.value) : undefined;
  const last = step === lengthOf(data) - 1;
  return (
    <>
      <p class="row" style={{ marginTop: "8px" }}>
        <span>
          Step <b>{step}</b>
        </span>
        {action.length > 0 && (
          <span>
            action <b>{action.map(short).join(", ")}</b>
          </span>
        )}
        {last && <span class="soft">{data.terminated ? "it ended here" : "its time was up"}</span>}
      </p>
      {chances.length > 0 && (
        <div class="bars" role="img" aria-label="How likely each action was">
          {chances.map((p, i) => (
            <div key={i} class={action[0] === i ? "bar-chosen" : ""}>
              <span style={{ height: `${Math.round(100 * p)}%` }} />
              <i>{i}</i>
            </div>
          ))}
        </div>
      )}
      <Strip title="reward" values={rewards} at={step} />
      <Strip title="in all" values={totals} at={step} />
      {values && <Strip title="value" values={values} at={step} />}
    </>
  );
}

type Column = EpisodeData["columns"][string] | undefined;

const numbersOf = (column: Column): number[] => column?.data.map(Number) ?? [];

/** The numbers of one step. */
function at(column: Column, step: number): number[] {
  if (!column) return [];
  const each = column.data.length / (column.shape[0] || 1);
  return column.data.slice(step * each, (step + 1) * each).map(Number);
}

/** Steps of an episode, and at least one. */
export const lengthOf = ({ columns, frames, every }: EpisodeData): number =>
  Math.max(1, columns.reward?.shape[0] ?? frames.length * every);
