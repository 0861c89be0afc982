import type { RunDetail } from "@reins/studio/wire";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, ofRun } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, joined, type Route, split } from "../route.ts";
import { Choose } from "./compare/choose.tsx";
import { CompareCurves } from "./compare/curves.tsx";
import { Differences } from "./compare/differences.tsx";
import { differences, groupsOf, usualGroups } from "./compare/groups.ts";
import { scoreTable } from "./compare/score-table.ts";
import { ScoreProfiles, ScoreTable } from "./compare/scores.tsx";

/** Maximum number of runs in a comparison. */
const most = 200;

/** Compares several runs. */
export function ComparePage({ route }: { route: Route }) {
  const asked = useMemo(() => [...new Set(split(route.query.get("runs")))], [route.query.get("runs")]);
  const names = useMemo(() => asked.slice(0, most), [asked]);
  const metric = route.query.get("metric") ?? "return/mean";
  const [runs, setRuns] = useState<readonly RunDetail[]>([]);
  const [error, setError] = useState<string>();
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
      if (missing.length > 0) setError(`These runs cannot be read and are left out: ${missing.join(", ")}.`);
    });
    return () => {
      over = true;
    };
  }, [names]);
  const by = route.query.get("by") ?? usualGroups(runs);
  const groups = useMemo(() => groupsOf(runs, by), [runs, by]);
  const table = useMemo(() => scoreTable(groups), [groups]);
  const differ = useMemo(() => differences(runs), [runs]);
  const metrics = [...new Set(runs.flatMap((run) => run.metrics.map(({ name }) => name)))];
  const change = (changes: Record<string, string>) =>
    go(href(["compare"], { ...Object.fromEntries(route.query), ...changes }), true);
  return (
    <>
      <div class="head">
        <h1>Compare</h1>
        <span class="soft">
          {runs.length > 0 && `${countOf(runs.length, "run")} in ${countOf(groups.length, "group")}`}
        </span>
      </div>
      {error && <Notice bad>{error}</Notice>}
      {asked.length > most && (
        <Notice>
          {most} of {asked.length} runs shown: narrow the filter.
        </Notice>
      )}
      <Choose chosen={names} most={most} choose={(next) => change({ runs: joined(next) })} />
      {names.length > 0 && runs.length === 0 && !error && (
        <p class="soft" style={{ marginTop: "16px" }}>
          Loading {countOf(names.length, "run")} …
        </p>
      )}
      {runs.length > 0 && (
        <>
          {new Set(runs.map((r) => r.env)).size > 1 && (
            <Notice>The runs use different environments, so their returns are not comparable.</Notice>
          )}
          <ScoreTable table={table} />
          <CompareCurves groups={groups} metric={metric}>
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
                <option value="none">none</option>
                <option value="seed">seeds with equal settings</option>
                {differ
                  .filter(({ name }) => name !== "seed")
                  .map(({ name }) => (
                    <option key={name} value={name}>
                      by {name}
                    </option>
                  ))}
              </select>
            </label>
          </CompareCurves>
          <ScoreProfiles table={table} />
          <Differences groups={groups} differ={differ} />
        </>
      )}
    </>
  );
}

const countOf = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
