import type { RunDetail } from "@reins/studio/wire";
import { useMemo } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import type { Span } from "../../curves/span.ts";
import type { CurveView } from "../../parts/curve-tools.tsx";
import { speedOf } from "./speed.ts";
import { stepUnit } from "./step-unit.ts";
import { useCurves } from "./use-curves.ts";

const shown = {
  cpu: "Processor, cores in use",
  memory: "Memory, megabytes",
  speed: "Training speed, steps per second",
};

/** Processor use, memory use and speed of a run. */
export function Load(props: {
  run: RunDetail;
  view: CurveView;
  span: Span;
  /** Steps at which the agent was evaluated. */
  evaluated: ReadonlySet<number>;
}) {
  const { run, view, span, evaluated } = props;
  const unit = stepUnit(run);
  const titles = { ...shown, speed: `Training speed, ${unit} per second` };
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
      // The speed needs steps on the x axis.
      speed: view.axis === "step" && seconds ? speedOf(seconds, evaluated) : undefined,
    }),
    [cpu, memory, seconds, points, view.axis, evaluated.size],
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
            title={titles[name]}
            unit={view.axis === "step" ? unit : undefined}
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

/** A curve with its values transformed. */
function mapped({ x, y }: Curve, make: (y: number) => number): Curve {
  const out = new Growable();
  out.push(y.data.subarray(0, y.length).map(make));
  const curve = new Curve(x, out);
  curve.grow();
  return curve;
}
