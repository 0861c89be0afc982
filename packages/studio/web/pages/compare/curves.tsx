import { useEffect, useMemo, useState } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import type { Curve } from "../../curves/curve.ts";
import { csvOf, download, pngOf, svgOf } from "../../curves/export.ts";
import type { PlotLine } from "../../curves/plot.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, useCurveView } from "../../parts/curve-tools.tsx";
import { meanOf } from "../../statistics/resample.ts";
import { useCurves } from "../run/use-curves.ts";
import type { Group } from "./groups.ts";

/** One curve a group: of its run, or the mean of its runs with a 95% interval. */
export function CompareCurves({ groups, metric }: { groups: readonly Group[]; metric: string }) {
  const [view, setView] = useCurveView();
  const span = useMemo(() => new Span(), [view.axis]);
  const [found, setFound] = useState<ReadonlyMap<string, { curve: Curve; points: number }>>(new Map());
  const runs = groups.flatMap((g) => g.runs);
  const lines: PlotLine[] = groups.flatMap(({ label, runs: members }, i) => {
    const curves = members.flatMap(({ name }) => found.get(name)?.curve ?? []);
    if (curves.length === 0) return [];
    const color = lineColor(i);
    return members.length === 1
      ? [{ label, color, curve: curves[0] }]
      : [{ label, color, ...meanOf(curves) }];
  });
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
          key={`${name} ${metric} ${view.axis}`}
          run={name}
          metric={metric}
          axis={view.axis}
          live={state === "running"}
          tell={(curve) =>
            setFound((old) => {
              if (old.get(name)?.curve === curve && old.get(name)?.points === curve.x.length) return old;
              return new Map(old).set(name, { curve, points: curve.x.length });
            })
          }
        />
      ))}
      <CurveTools view={view} change={setView} span={span} />
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
          {lines.map(({ label, color }) => (
            <li key={label}>
              <i style={{ background: color }} /> {label}
            </li>
          ))}
        </ul>
        <span class="space" />
        <button type="button" onClick={() => download(`${file}.svg`, svgOf(exported()), "image/svg+xml")}>
          SVG
        </button>
        <button type="button" onClick={async () => download(`${file}.png`, await pngOf(svgOf(exported())))}>
          PNG
        </button>
        <button type="button" onClick={() => download(`${file}.csv`, csvOf(exported()), "text/csv")}>
          CSV
        </button>
      </div>
      {groups.some((g) => g.runs.length > 1) && (
        <p class="soft">
          Lines are means over the runs of a group where all of them were measured; bands are 95% intervals of
          the mean (Student's, over independent seeds).
        </p>
      )}
    </>
  );
}

/** Reads a curve of one run, and tells it on. */
function Fetched(props: {
  run: string;
  metric: string;
  axis: "step" | "time" | "episode";
  live: boolean;
  tell(curve: Curve): void;
}) {
  const { run, metric, axis, live, tell } = props;
  const { curves } = useCurves(run, [metric], axis, live);
  const curve = curves.get(metric);
  useEffect(() => {
    if (curve && curve.x.length > 0) tell(curve);
  }, [curve, curve?.x.length]);
  return null;
}
