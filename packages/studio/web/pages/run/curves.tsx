import { useMemo, useState } from "preact/hooks";
import type { MetricName, RunDetail } from "../../../src/wire.ts";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, type CurveView, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { drawnAs, movedIn, useEvents } from "./by-hand.ts";
import { Load } from "./load.tsx";
import { useCurves } from "./use-curves.ts";

/** What counts most, where it is there: a run that still imitates has no returns. */
const important = ["return/mean", "reward/mean", "evaluation/return/mean", "loss/cloning", "loss/total"];

/** All curves of a run, in groups by the first part of their names; what counts most comes first. */
export function Curves({ run }: { run: RunDetail }) {
  const [view, setView] = useCurveView();
  const [words, setWords] = useState("");
  const span = useMemo(() => new Span(), [run.name, view.axis]);
  const names = useMemo(() => run.metrics.map(({ name }) => name), [run.metrics.map((m) => m.name).join()]);
  const { curves, error } = useCurves(run.name, names, view.axis, run.state === "running");
  const moved = movedIn(useEvents(run));
  const lineOf = (name: string): PlotLine[] => {
    const curve = curves.get(name);
    if (!curve) return [];
    return [{ label: name, color: lineColor(0), ...drawnAs(name, curve, { run, moved, axis: view.axis }) }];
  };
  // What was never measured has no chart.
  const known = run.metrics.filter(({ name }) => curves.get(name)?.x.length !== 0);
  const first = important.find((name) => curves.get(name)?.hasNumbers) ?? known[0]?.name ?? "";
  const wanted = known.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()));
  const groups = groupsOf(wanted, first);
  const waits = first !== important[0] && run.metrics.some(({ name }) => name === "loss/cloning");
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
      {waits && (
        <Notice>It imitates so far, and has no returns: those come with the first plays of its own.</Notice>
      )}
      {wanted.length === 0 && <p class="empty">No metric is called so.</p>}
      {groups.map(([group, metrics]) => (
        <section key={group} aria-label={group || first}>
          {group !== "" && <h2 class="group">{group}</h2>}
          <div class="charts">
            {metrics.map((metric) => (
              <Metric
                key={metric.name}
                metric={metric}
                wide={metric.name === first}
                lines={lineOf(metric.name)}
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
  /** Whether it has all of the width. */
  wide: boolean;
  lines: readonly PlotLine[];
  view: CurveView;
  span: Span;
}) {
  const { metric, wide, lines, view, span } = props;
  return (
    <div class={wide ? "wide" : ""}>
      <Chart
        title={metric.name}
        about={metric.about && `${metric.about} In: ${metric.unit}.`}
        span={span}
        lines={lines}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={wide ? 280 : 180}
      />
    </div>
  );
}

/** Metrics in groups: the return first, then those that come in several, then all others together. */
function groupsOf(metrics: readonly MetricName[], first: string): [string, MetricName[]][] {
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
