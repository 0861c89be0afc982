import type { EpisodeData, EpisodeLine } from "@reins/studio/wire";
import { useEffect, useState } from "preact/hooks";
import { get, ofRun } from "../api.ts";
import { compact, short } from "../format.ts";
import { Notice } from "../parts/notice.tsx";
import { Observations } from "./observations.tsx";
import { Picture } from "./picture.tsx";
import { lengthOf, StepDetail } from "./step.tsx";

/** An episode of a run at one step. */
export function EpisodeView(props: {
  run: string;
  /** Number of the episode (default: the last). */
  number: number | undefined;
  at: number;
  choose(number: number): void;
  /** Called with its length. */
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
  if (list?.length === 0) return <p class="empty">{run} has no readable episodes.</p>;
  const step = data ? Math.min(at, lengthOf(data) - 1) : 0;
  const frame = data?.frames[Math.min(Math.floor(step / data.every), data.frames.length - 1)];
  return (
    <section class="panel episode" aria-label={`Episode of ${run}`}>
      <div class="row episode-head">
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
      {data && (
        <div class="episode-body">
          {(frame?.drawing || frame?.text) && <Picture frame={frame} label={`Step ${step} of the episode`} />}
          <StepDetail data={data} step={step} />
        </div>
      )}
      {data && <Observations data={data} step={step} />}
    </section>
  );
}
