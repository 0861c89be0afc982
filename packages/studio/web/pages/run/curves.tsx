import { useMemo, useState } from "preact/hooks";
import type { MetricName, RunDetail } from "../../../src/wire.ts";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, type CurveView, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useCurves } from "./use-curves.ts";

/** All curves of a run, in groups by the first part of their names; what counts most comes first. */
export function Curves({ run }: { run: RunDetail }) {
  const [view, setView] = useCurveView();
  const [words, setWords] = useState("");
  const span = useMemo(() => new Span(), [run.name, view.axis]);
  const names = useMemo(() => run.metrics.map(({ name }) => name), [run.metrics.map((m) => m.name).join()]);
  const { curves, error } = useCurves(run.name, names, view.axis, run.state === "running");
  const wanted = run.metrics.filter(({ name }) => name.includes(words.trim().toLowerCase()));
  const groups = groupsOf(wanted);
  if (run.metrics.length === 0)
    return <p class="empty">Nothing was measured yet. The first rows come after the first updates.</p>;
  return (
    <>
      <CurveTools view={view} change={setView} span={span}>
        <input
          type="search"
          placeholder="Find a metric"
          aria-label="Find a metric"
          value={words}
          onInput={(e) => setWords(e.currentTarget.value)}
        />
      </CurveTools>
      {error && <Notice bad>{error}</Notice>}
      {groups.map(([group, metrics]) => (
        <section key={group} aria-label={group}>
          {group !== "" && <h2 class="group">{group}</h2>}
          <div class="charts">
            {metrics.map((metric) => (
              <Metric
                key={metric.name}
                metric={metric}
                curve={curves.get(metric.name)}
                view={view}
                span={span}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function Metric(props: {
  metric: MetricName;
  curve: import("../../curves/curve.ts").Curve | undefined;
  view: CurveView;
  span: Span;
}) {
  const { metric, curve, view, span } = props;
  const first = metric.name === "return/mean";
  return (
    <div class={first ? "wide" : ""}>
      <Chart
        title={metric.name}
        about={metric.about}
        span={span}
        lines={curve ? [{ label: metric.name, color: lineColor(0), curve }] : []}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={first ? 280 : 180}
      />
    </div>
  );
}

/** Metrics in groups: returns first, then what was measured on the way, then others by name. */
function groupsOf(metrics: readonly MetricName[]): [string, MetricName[]][] {
  const order = ["return", "evaluation", "success", "length", "reward", "policy", "value", "loss"];
  const groups = new Map<string, MetricName[]>();
  for (const metric of metrics) {
    const group = metric.name.includes("/") ? metric.name.split("/")[0] : "counts";
    groups.set(group, [...(groups.get(group) ?? []), metric]);
  }
  const place = (g: string) => order.indexOf(g) + 1 || order.length + (g === "counts" ? 2 : 1);
  return [...groups].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}
