import type { RunDetail } from "@reins/studio/wire";
import { useMemo } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import { Span } from "../../curves/span.ts";
import { CurveTools, useCurveView } from "../../parts/curve-tools.tsx";
import { drawnAs, movedIn, useEvents } from "./manual-changes.ts";
import { stepUnit } from "./step-unit.ts";
import { useCurves } from "./use-curves.ts";

/** A setting that changes during training, and the metric that drives it. */
interface Moving {
  readonly name: string;
  readonly form: string;
  readonly follows?: string;
  readonly target?: string;
}

/** Charts of each adaptive setting and the metric that it follows. */
export function Signals({ run }: { run: RunDetail }) {
  const [view, setView] = useCurveView();
  const span = useMemo(() => new Span(), [run.name, view.axis]);
  const moved = movedIn(useEvents(run));
  const moving = useMemo(() => movingIn(run, moved), [run, moved.join()]);
  const names = moving.flatMap(({ name, follows }) => [`setting/${name}`, ...(follows ? [follows] : [])]);
  const { curves } = useCurves(run.name, [...new Set(names)], view.axis, run.state === "running");
  const unit = view.axis === "step" ? stepUnit(run) : undefined;
  const look = {
    span,
    unit,
    smoothing: view.smoothing,
    log: view.log,
    axis: view.axis,
    height: 190,
  } as const;
  const drawn = (metric: string, n: number) => {
    const curve = curves.get(metric);
    if (!curve) return [];
    return [
      { label: metric, color: lineColor(n), ...drawnAs(metric, curve, { run, moved, axis: view.axis }) },
    ];
  };
  return (
    <>
      <CurveTools view={view} change={setView} span={span} unit={stepUnit(run)} />
      {moving.map(({ name, form, follows, target }) => (
        <section key={name} class="panel">
          <h2>{name}</h2>
          <p class="soft" style={{ marginBottom: "12px" }}>
            {form}
            {follows && (
              <>
                {moved.includes(name) ? "; it followed" : " follows"} <code>{follows}</code>
              </>
            )}
            {target && `, ${target}`}
          </p>
          <div class="charts">
            <Chart title={name} lines={drawn(`setting/${name}`, 0)} {...look} />
            {follows && <Chart title={follows} lines={drawn(follows, 1)} {...look} />}
          </div>
        </section>
      ))}
    </>
  );
}

/** Settings that follow a signal or were changed. A run logs its learning rate even if it is constant. */
export function movingIn({ config, metrics }: RunDetail, moved: readonly string[]): Moving[] {
  const options = (config.options ?? {}) as Record<string, unknown>;
  const found: Moving[] = [];
  for (const [name, value] of Object.entries(options)) {
    const { signal, of, target, limit } = (value ?? {}) as Record<string, unknown>;
    if (typeof signal !== "string") continue;
    const aim =
      target !== undefined
        ? `towards ${target}`
        : limit !== undefined
          ? `with a limit of ${limit}`
          : undefined;
    found.push({
      name,
      form: moved.includes(name) ? `${signal}, until it was changed by hand` : signal,
      ...(typeof of === "string" ? { follows: of } : {}),
      ...(aim ? { target: aim } : {}),
    });
  }
  for (const { name } of metrics) {
    const setting = name.replace(/^setting\//, "");
    if (setting === name || found.some((f) => f.name === setting)) continue;
    if (moved.includes(setting)) found.push({ name: setting, form: "changed by hand" });
    else if (setting !== "learningRate") found.push({ name: setting, form: "changed during training" });
  }
  return found;
}
