import { useMemo, useState } from "preact/hooks";
import type { MetricName, RunDetail } from "../../../src/wire.ts";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, type CurveView, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Load } from "./load.tsx";
import { useCurves } from "./use-curves.ts";

/** What counts most. */
const first = "return/mean";

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
        <section key={group} aria-label={group || first}>
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
      {words === "" && <Load run={run} view={view} span={span} />}
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
  const wide = metric.name === first;
  return (
    <div class={wide ? "wide" : ""}>
      <Chart
        title={metric.name}
        about={metric.about && `${metric.about} In: ${metric.unit}.`}
        span={span}
        lines={curve ? [{ label: metric.name, color: lineColor(0), curve }] : []}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={wide ? 280 : 180}
      />
    </div>
  );
}

/** Metrics in groups: the return first, then those that come in several, then all others together. */
function groupsOf(metrics: readonly MetricName[]): [string, MetricName[]][] {
  const order = ["", "evaluation", "return", "reward", "policy", "value", "loss"];
  const groups = new Map<string, MetricName[]>();
  for (const metric of metrics) {
    const group = metric.name === first ? "" : metric.name.replace(/\/.*/, "");
    groups.set(group, [...(groups.get(group) ?? []), metric]);
  }
  const large = [...groups].filter(([group, all]) => group === "" || all.length > 1);
  const rest = [...groups]
    .filter(([group, all]) => group !== "" && all.length === 1)
    .flatMap(([, all]) => all);
  const place = (g: string) => (order.includes(g) ? order.indexOf(g) : order.length);
  const sorted = large.sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
  return rest.length > 0 ? [...sorted, ["others", rest]] : sorted;
}
