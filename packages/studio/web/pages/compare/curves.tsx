import { useEffect, useMemo, useState } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { fillOf, lineLook } from "../../curves/colors.ts";
import type { Curve } from "../../curves/curve.ts";
import { csvOf, download, pngOf, svgOf } from "../../curves/export.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { meanOf } from "../../statistics/resample.ts";
import { useCurves } from "../run/use-curves.ts";
import type { Group } from "./groups.ts";

/** One curve a group: of its run, or the mean of its runs with a 95% interval. */
export function CompareCurves({ groups, metric }: { groups: readonly Group[]; metric: string }) {
  const [view, setView] = useCurveView();
  const span = useMemo(() => new Span(), [view.axis]);
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map());
  const [problem, setProblem] = useState<string>();
  /** What was read of a run, for this metric over this axis. */
  const keyOf = (name: string) => JSON.stringify([name, metric, view.axis]);
  const runs = groups.flatMap((g) => g.runs);
  const lines: PlotLine[] = groups.flatMap(({ label, runs: members }, i) => {
    const curves = members.flatMap(({ name }) => found.get(keyOf(name))?.curve ?? []);
    if (curves.length === 0) return [];
    const look = { label, ...lineLook(i) };
    return members.length === 1 ? [{ ...look, curve: curves[0] }] : [{ ...look, ...meanOf(curves) }];
  });
  const without = runs.map(({ name }) => name).filter((name) => found.get(keyOf(name))?.points === 0);
  const exported = () => {
    const all = lines.filter(({ curve }) => curve.x.length > 0);
    const from = Math.min(...all.map(({ curve }) => curve.x.data[0]));
    const to = Math.max(...all.map(({ curve }) => curve.x.data[curve.x.length - 1]));
    return { title: metric, ...view, lines: all, range: span.range ?? ([from, to] as const) };
  };
  const file = metric.replace(/\W+/g, "-");
  return (
    <>
      {runs.map(({ name, state }) => (
        <Fetched
          key={keyOf(name)}
          run={name}
          metric={metric}
          axis={view.axis}
          live={state === "running"}
          failed={setProblem}
          tell={(curve) =>
            setFound((old) => {
              const [key, points] = [keyOf(name), curve.x.length];
              const same = old.get(key)?.curve === curve && old.get(key)?.points === points;
              return same ? old : new Map(old).set(key, { curve, points });
            })
          }
        />
      ))}
      <CurveTools view={view} change={setView} span={span} />
      {problem && <Notice bad>{problem}</Notice>}
      {without.length > 0 && (
        <p class="soft">
          Nothing of {metric} over {view.axis === "step" ? "steps" : `${view.axis}s`} is known of{" "}
          {without.join(", ")}.
        </p>
      )}
      <Chart
        title={metric}
        span={span}
        lines={lines}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={380}
      />
      <div class="toolbar" style={{ marginTop: "12px" }}>
        <ul class="legend">
          {lines.map(({ label, ...look }) => (
            <li key={label}>
              <i style={{ background: fillOf(look) }} /> {label}
            </li>
          ))}
        </ul>
        <span class="space" />
        <button type="button" onClick={() => download(`${file}.svg`, svgOf(exported()), "image/svg+xml")}>
          SVG
        </button>
        <button
          type="button"
          onClick={() =>
            pngOf(svgOf(exported())).then(
              (png) => download(`${file}.png`, png),
              (e: Error) => setProblem(e.message),
            )
          }
        >
          PNG
        </button>
        <button type="button" onClick={() => download(`${file}.csv`, csvOf(exported()), "text/csv")}>
          CSV
        </button>
      </div>
      {groups.some((g) => g.runs.length > 1) && (
        <p class="soft" style={{ margin: "12px 0 20px" }}>
          Lines are means over the runs of a group where all of them were measured; bands are 95% intervals of
          the mean (Student's, over independent seeds).
        </p>
      )}
    </>
  );
}

/** A curve, and how long it was when it was told. */
interface Found {
  readonly curve: Curve;
  readonly points: number;
}

/** Reads a curve of one run, and tells it on. */
function Fetched(props: {
  run: string;
  metric: string;
  axis: "step" | "time" | "episode";
  live: boolean;
  tell(curve: Curve): void;
  failed(why: string): void;
}) {
  const { run, metric, axis, live, tell, failed } = props;
  const { curves, error } = useCurves(run, [metric], axis, live);
  const curve = curves.get(metric);
  useEffect(() => {
    if (curve) tell(curve);
  }, [curve, curve?.x.length]);
  useEffect(() => {
    if (error) failed(`${run}: ${error}`);
  }, [error]);
  return null;
}
