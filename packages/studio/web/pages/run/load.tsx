import { useMemo } from "preact/hooks";
import type { RunDetail } from "../../../src/wire.ts";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import type { Span } from "../../curves/span.ts";
import type { CurveView } from "../../parts/curve-tools.tsx";
import { useCurves } from "./use-curves.ts";

const shown = {
  cpu: "Processor, cores in use",
  memory: "Memory, megabytes",
  speed: "Speed, steps a second",
} as const;

/** What a run takes of the machine, and how fast it is. */
export function Load({ run, view, span }: { run: RunDetail; view: CurveView; span: Span }) {
  const { curves } = useCurves(
    run.name,
    ["cpu", "memory", "seconds"],
    view.axis,
    run.state === "running",
    "times",
  );
  const [cpu, memory, seconds] = ["cpu", "memory", "seconds"].map((name) => curves.get(name));
  const points = seconds?.x.length ?? 0;
  const made = useMemo(
    () => ({
      cpu,
      memory: memory && mapped(memory, (_, y) => y / 1e6),
      // Where the axis is not that of steps, there is nothing to divide.
      speed:
        view.axis === "step" && seconds ? mapped(seconds, (x, y, i) => rate(seconds, x, y, i)) : undefined,
    }),
    [cpu, memory, seconds, points, view.axis],
  );
  const known = (Object.keys(shown) as (keyof typeof shown)[]).filter((name) => hasNumbers(made[name]));
  if (known.length === 0) return null;
  return (
    <section aria-label="System">
      <h2 class="group">System</h2>
      <div class="charts">
        {known.map((name) => (
          <Chart
            key={name}
            title={shown[name]}
            span={span}
            lines={[{ label: name, color: lineColor(8), curve: made[name]! }]}
            smoothing={view.smoothing}
            log={view.log}
            axis={view.axis}
            height={160}
          />
        ))}
      </div>
    </section>
  );
}

const hasNumbers = (curve: Curve | undefined): boolean =>
  curve?.y.data.subarray(0, curve.y.length).some(Number.isFinite) ?? false;

/** Steps a second since the row before. */
function rate({ x, y }: Curve, step: number, seconds: number, i: number): number {
  const [steps, time] = i > 0 ? [step - x.data[i - 1], seconds - y.data[i - 1]] : [step, seconds];
  return time > 0 ? steps / time : Number.NaN;
}

/** A curve whose numbers are made from another's. */
function mapped({ x, y }: Curve, make: (x: number, y: number, i: number) => number): Curve {
  const out = new Growable();
  out.push(Float64Array.from({ length: y.length }, (_, i) => make(x.data[i], y.data[i], i)));
  const curve = new Curve(x, out);
  curve.grow();
  return curve;
}
