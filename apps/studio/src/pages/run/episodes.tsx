import type { RunDetail, RunListing } from "@reins/studio/wire";
import { useEffect, useState } from "preact/hooks";
import { get } from "../../api.ts";
import { EpisodeView } from "../../episodes/view.tsx";
import { go, href, type Route } from "../../route.ts";

/** Plays recorded episodes of an agent, alone or beside those of another run. */
export function Episodes({ run, route }: { run: RunDetail; route: Route }) {
  const { query } = route;
  const beside = query.get("beside") ?? "";
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(30);
  const [lengths, setLengths] = useState<readonly number[]>([1, 1]);
  const [others, setOthers] = useState<readonly string[]>([]);
  const most = Math.max(lengths[0], beside ? lengths[1] : 1);
  useEffect(() => {
    Promise.all([get<RunListing>("runs"), get<readonly string[]>("episodes")]).then(
      ([{ runs }, filmed]) => {
        const names = new Set(filmed);
        const alike = runs.filter((r) => r.env === run.env && r.name !== run.name && names.has(r.name));
        setOthers(alike.map((r) => r.name));
      },
      () => {},
    );
  }, [run.name]);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      setAt((now) => {
        if (now + 1 < most) return now + 1;
        setPlaying(false);
        return now;
      });
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [playing, speed, most]);
  const change = (changes: Record<string, string>) => {
    const next = { ...Object.fromEntries(query), ...changes };
    go(
      href(["run", run.name, "episodes"], Object.fromEntries(Object.entries(next).filter(([, v]) => v))),
      true,
    );
    setAt(0);
  };
  const numberAt = (key: string) => (query.get(key) ? Number(query.get(key)) : undefined);
  const loaded = (place: number) => (n: number) =>
    setLengths((all) => all.map((old, i) => (i === place ? n : old)));
  return (
    <>
      <div class="toolbar episode-tools">
        <button
          type="button"
          class="main"
          onClick={() => {
            if (!playing && at + 1 >= most) setAt(0);
            setPlaying(!playing);
          }}
        >
          {playing ? "Pause" : "Play"}
        </button>
        <button type="button" aria-label="One step back" onClick={() => setAt(Math.max(0, at - 1))}>
          ◂
        </button>
        <button type="button" aria-label="One step forward" onClick={() => setAt(Math.min(most - 1, at + 1))}>
          ▸
        </button>
        <input
          type="range"
          aria-label="Step of the episode"
          style={{ flex: "1 1 200px" }}
          min={0}
          max={most - 1}
          value={at}
          onInput={(e) => setAt(Number(e.currentTarget.value))}
        />
        <label>
          Speed
          <select value={speed} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
            {[5, 15, 30, 60, 120].map((n) => (
              <option key={n} value={n}>
                {n} steps/s
              </option>
            ))}
          </select>
        </label>
        <label title="Runs of the same environment with recorded episodes">
          Compare with
          <select
            disabled={others.length === 0 && !beside}
            value={beside}
            onChange={(e) => change({ beside: e.currentTarget.value, second: "" })}
          >
            <option value="">none</option>
            {others.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class={beside ? "two" : ""}>
        <EpisodeView
          run={run.name}
          number={numberAt("first")}
          at={at}
          choose={(n) => change({ first: `${n}` })}
          loaded={loaded(0)}
        />
        {beside && (
          <EpisodeView
            run={beside}
            number={numberAt("second")}
            at={at}
            choose={(n) => change({ second: `${n}` })}
            loaded={loaded(1)}
          />
        )}
      </div>
    </>
  );
}
