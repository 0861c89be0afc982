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
      memory: memory && mapped(memory, (y) => y / 1e6),
      // Where the axis is not that of steps, there is nothing to divide.
      speed: view.axis === "step" && seconds ? speedOf(seconds) : undefined,
    }),
    [cpu, memory, seconds, points, view.axis],
  );
  const known = (Object.keys(shown) as (keyof typeof shown)[]).filter((name) => made[name]?.hasNumbers);
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

/** Steps a second, each over a hundredth of the run and half a second at least: rows follow one another faster than a clock can tell. */
export function speedOf({ x, y }: Curve): Curve {
  const { length } = y;
  const least = Math.max(0.5, (length > 0 ? y.data[length - 1] : 0) / 100);
  const [steps, speed] = [new Growable(), new Growable()];
  const found: [number, number][] = [];
  for (let i = 0, j = -1; i < length; i++) {
    const time = (k: number) => (k < 0 ? 0 : y.data[k]);
    while (j + 1 < i && y.data[i] - time(j + 1) >= least) j++;
    const past = y.data[i] - time(j);
    if (past >= least) found.push([x.data[i], (x.data[i] - (j < 0 ? 0 : x.data[j])) / past]);
  }
  steps.push(Float64Array.from(found, ([step]) => step));
  speed.push(Float64Array.from(found, ([, value]) => value));
  const curve = new Curve(steps, speed);
  curve.grow();
  return curve;
}

/** A curve whose numbers are made from another's. */
function mapped({ x, y }: Curve, make: (y: number) => number): Curve {
  const out = new Growable();
  out.push(y.data.subarray(0, y.length).map(make));
  const curve = new Curve(x, out);
  curve.grow();
  return curve;
}
