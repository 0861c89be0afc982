import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunDetail, RunListing } from "../../src/wire.ts";
import { get, ofRun } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, joined, type Route, split } from "../route.ts";
import { Choose } from "./compare/choose.tsx";
import { CompareCurves } from "./compare/curves.tsx";
import { Differences } from "./compare/differences.tsx";
import { differences, groupsOf, usualGroups } from "./compare/groups.ts";
import { ScoreTable } from "./compare/scores.tsx";

/** Most runs that are compared at once. */
const most = 200;

/** Several runs over one another. */
export function ComparePage({ route }: { route: Route }) {
  const names = useMemo(() => split(route.query.get("runs")).slice(0, most), [route.query.get("runs")]);
  const metric = route.query.get("metric") ?? "return/mean";
  const [runs, setRuns] = useState<readonly RunDetail[]>([]);
  const [listing, setListing] = useState<RunListing>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    get<RunListing>("runs").then(setListing, (e: Error) => setError(e.message));
  }, []);
  useEffect(() => {
    let over = false;
    setError(undefined);
    Promise.allSettled(names.map((name) => get<RunDetail>(ofRun(name)))).then((asked) => {
      if (over) return;
      const found = asked.flatMap((a) =>
        a.status === "fulfilled" && a.value.state !== "unreadable" ? a.value : [],
      );
      setRuns(found);
      const missing = names.filter((name) => !found.some((run) => run.name === name));
      if (missing.length > 0) setError(`Not compared, since they cannot be read: ${missing.join(", ")}.`);
    });
    return () => {
      over = true;
    };
  }, [names]);
  const by = route.query.get("by") ?? usualGroups(runs);
  const groups = useMemo(() => groupsOf(runs, by), [runs, by]);
  const differ = useMemo(() => differences(runs), [runs]);
  const metrics = [...new Set(runs.flatMap((run) => run.metrics.map(({ name }) => name)))];
  const change = (changes: Record<string, string>) =>
    go(href(["compare"], { ...Object.fromEntries(route.query), ...changes }), true);
  return (
    <>
      <div class="head">
        <h1>Compare</h1>
        <span class="soft">{runs.length > 0 && (runs.length === 1 ? "1 run" : `${runs.length} runs`)}</span>
      </div>
      {error && <Notice bad>{error}</Notice>}
      <Choose runs={listing?.runs ?? []} chosen={names} choose={(next) => change({ runs: joined(next) })} />
      {runs.length > 0 && (
        <>
          <div class="toolbar" style={{ marginTop: "16px" }}>
            <label>
              Metric
              <select value={metric} onChange={(e) => change({ metric: e.currentTarget.value })}>
                {metrics.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Group
              <select value={by} onChange={(e) => change({ by: e.currentTarget.value })}>
                <option value="none">each run by itself</option>
                <option value="seed">seeds of the same settings together</option>
                {differ.map(({ name }) => (
                  <option key={name} value={name}>
                    by {name}
                  </option>
                ))}
              </select>
            </label>
          </div>
          {new Set(runs.map((r) => r.env)).size > 1 && (
            <Notice>These are runs of several tasks: their returns are not on one scale.</Notice>
          )}
          <CompareCurves groups={groups} metric={metric} />
          <ScoreTable groups={groups} />
          <Differences runs={runs} differ={differ} />
        </>
      )}
    </>
  );
}
