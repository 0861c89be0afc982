import type { MetricName, RunDetail } from "@reins/studio/wire";
import { useMemo, useRef, useState } from "preact/hooks";
import { Band } from "../../curves/band.ts";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import type { Curve } from "../../curves/curve.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { Span } from "../../curves/span.ts";
import { duration } from "../../format.ts";
import { CurveTools, type CurveView, useCurveView } from "../../parts/curve-tools.tsx";
import { Notice } from "../../parts/notice.tsx";
import { type Interruption, interruptionsIn } from "./interruptions.ts";
import { Load } from "./load.tsx";
import { drawnAs, movedIn, useEvents } from "./manual-changes.ts";
import { stepUnit } from "./step-unit.ts";
import { useCurves } from "./use-curves.ts";

/** Metrics for the first, wide chart, in order of preference: during behaviour cloning there are no returns. */
const important = ["return/mean", "reward/mean", "evaluation/return", "loss/cloning", "loss/total"];

/** Means whose standard deviation is measured as well, and its metric. */
const deviations: Readonly<Record<string, string>> = {
  "return/mean": "return/std",
  "reward/mean": "reward/std",
  "evaluation/return": "evaluation/return-std",
};

const evaluationReturn = "evaluation/return";

/** All curves of a run, in groups by the first part of their names; the most important one comes first. */
export function Curves({ run }: { run: RunDetail }) {
  const [view, setView] = useCurveView();
  const [words, setWords] = useState("");
  const live = run.state === "running";
  const span = useMemo(() => new Span(), [run.name, view.axis]);
  const names = useMemo(() => run.metrics.map(({ name }) => name), [run.metrics.map((m) => m.name).join()]);
  const { curves, error } = useCurves(run.name, names, view.axis, live);
  const { curves: times } = useCurves(run.name, ["at", "seconds"], view.axis, live, "times");
  const bandOf = useBands();
  const moved = movedIn(useEvents(run));
  const stops = interruptionsIn(times.get("at"), times.get("seconds"));
  const lineOf = (name: string): PlotLine[] => {
    const curve = curves.get(name);
    if (!curve) return [];
    const deviation = curves.get(deviations[name] ?? "");
    return [
      {
        label: name,
        color: lineColor(0),
        ...drawnAs(name, curve, { run, moved, axis: view.axis }),
        ...(name.startsWith("evaluation/") ? { dots: true } : {}),
        ...(deviation ? bandOf(name, curve, deviation) : {}),
      },
    ];
  };
  // Metrics without any row have no chart.
  const known = run.metrics.filter(({ name }) => curves.get(name)?.x.length !== 0);
  const first = important.find((name) => curves.get(name)?.hasNumbers) ?? known[0]?.name ?? "";
  const wanted = known.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()));
  const groups = groupsOf(wanted, first);
  const waits = first !== important[0] && run.metrics.some(({ name }) => name === "loss/cloning");
  if (run.metrics.length === 0)
    return <p class="empty">No metrics yet. The first rows appear after the first updates.</p>;
  return (
    <>
      <CurveTools view={view} change={setView} span={span} unit={stepUnit(run)}>
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
        <Notice>
          {live
            ? "Supervised phase: the model imitates a teacher. Returns start with its own first rollouts."
            : "The run ended in the supervised phase, before the model's own first rollouts. Raise steps, or lower supervisedTokens."}
        </Notice>
      )}
      {wanted.length === 0 && <p class="empty">No metrics match. Clear the search.</p>}
      <Caption stops={stops} hasBand={wanted.some(({ name }) => curves.has(deviations[name] ?? ""))} />
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
                marks={stops.map(({ x }) => x)}
                view={view}
                span={span}
                unit={view.axis === "step" ? stepUnit(run) : undefined}
              />
            ))}
          </div>
        </section>
      ))}
      {words === "" && (
        <Load run={run} view={view} span={span} evaluated={placesOf(curves.get(evaluationReturn))} />
      )}
    </>
  );
}

/** Explains bands and dashed lines, if any. */
function Caption({ stops, hasBand }: { stops: readonly Interruption[]; hasBand: boolean }) {
  const shown = stops.slice(0, 5).map(({ seconds }) => duration(seconds));
  const times = [...shown, ...(stops.length > shown.length ? ["…"] : [])].join(", ");
  const parts = [
    ...(hasBand ? ["Bands: mean ± one standard deviation over episodes."] : []),
    ...(stops.length > 0
      ? [`Dashed lines: the run was stopped and resumed later (interrupted for ${times}).`]
      : []),
  ];
  return parts.length > 0 ? <p class="soft curve-caption">{parts.join(" ")}</p> : null;
}

/** Bands by the names of their means, kept from one rendering to the next. */
function useBands() {
  const made = useRef(new Map<string, Band>());
  return (name: string, mean: Curve, deviation: Curve): Pick<PlotLine, "low" | "high"> => {
    const known = made.current.get(name);
    const band = known?.isOf(mean, deviation) ? known : new Band(mean, deviation);
    made.current.set(name, band);
    const { low, high } = band.grow();
    return { low, high };
  };
}

const placesOf = (curve: Curve | undefined): ReadonlySet<number> =>
  new Set(curve?.x.data.subarray(0, curve.x.length));

function Metric(props: {
  metric: MetricName;
  /** Whether it takes the whole width. */
  wide: boolean;
  lines: readonly PlotLine[];
  marks: readonly number[];
  view: CurveView;
  span: Span;
  unit: string | undefined;
}) {
  const { metric, wide, lines, marks, view, span, unit } = props;
  return (
    <div class={wide ? "wide" : ""}>
      <Chart
        title={metric.name}
        about={metric.about}
        measure={metric.unit}
        unit={unit}
        span={span}
        lines={lines}
        marks={marks}
        smoothing={view.smoothing}
        log={view.log}
        axis={view.axis}
        height={wide ? 280 : 180}
      />
    </div>
  );
}

/** Metrics in groups: the most important one first, then groups of several, then all others together. */
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
