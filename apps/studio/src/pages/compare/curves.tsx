import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { lineLook } from "../../curves/colors.ts";
import type { Curve } from "../../curves/curve.ts";
import { csvOf, download, pngOf, svgOf } from "../../curves/export.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { meanOf } from "../../statistics/resample.ts";
import { useCurves } from "../run/use-curves.ts";
import type { Group } from "./groups.ts";

/** One curve per group: its run, or the mean of its runs with a 95% interval. The score table is the legend. */
export function CompareCurves(props: {
  groups: readonly Group[];
  metric: string;
  children?: ComponentChildren;
}) {
  const { groups, metric, children } = props;
  const [view, setView] = useCurveView();
  const span = useMemo(() => new Span(), [view.axis]);
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map());
  const [problem, setProblem] = useState<string>();
  /** The curve of a run, for this metric over this axis. */
  const keyOf = (name: string) => JSON.stringify([name, metric, view.axis]);
  const runs = groups.flatMap((g) => g.runs);
  const lines: PlotLine[] = groups.flatMap(({ label, runs: members }, i) => {
    const curves = members.flatMap(({ name }) => found.get(keyOf(name))?.curve ?? []);
    if (curves.length === 0) return [];
    const look = { label, ...lineLook(i) };
    if (members.length === 1) return [{ ...look, curve: curves[0] }];
    return [{ ...look, ...meanOf(curves, metric === "return/mean" ? members[0].returnBounds : undefined) }];
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
          onCurve={(curve) =>
            setFound((old) => {
              const [key, points] = [keyOf(name), curve.x.length];
              const same = old.get(key)?.curve === curve && old.get(key)?.points === points;
              return same ? old : new Map(old).set(key, { curve, points });
            })
          }
        />
      ))}
      <CurveTools view={view} change={setView} span={span}>
        {children}
      </CurveTools>
      {problem && <Notice bad>{problem}</Notice>}
      {without.length > 0 && (
        <p class="soft">
          No {metric} over {view.axis === "step" ? "steps" : `${view.axis}s`} in {without.join(", ")}.
        </p>
      )}
      <Chart
        title={metric}
        span={span}
        lines={lines}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={320}
        named={false}
      />
      <div class="toolbar" style={{ marginTop: "12px" }}>
        {groups.some((g) => g.runs.length > 1) && (
          <span class="soft small">
            Lines: means over seeds, in the range that all of them cover. Bands: Student's 95% CI of the mean.
          </span>
        )}
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
    </>
  );
}

/** A curve, and its number of points when it was loaded. */
interface Found {
  readonly curve: Curve;
  readonly points: number;
}

/** Loads a curve of one run, and passes it to the parent. */
function Fetched(props: {
  run: string;
  metric: string;
  axis: "step" | "time" | "episode";
  live: boolean;
  onCurve(curve: Curve): void;
  failed(why: string): void;
}) {
  const { run, metric, axis, live, onCurve, failed } = props;
  const { curves, error } = useCurves(run, [metric], axis, live);
  const curve = curves.get(metric);
  useEffect(() => {
    if (curve) onCurve(curve);
  }, [curve, curve?.x.length]);
  useEffect(() => {
    if (error) failed(`${run}: ${error}`);
  }, [error]);
  return null;
}
