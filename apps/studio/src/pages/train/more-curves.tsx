import { useState } from "preact/hooks";
import { Chart } from "../../curves/chart.tsx";
import { lineColor } from "../../curves/colors.ts";
import type { Curve } from "../../curves/curve.ts";
import type { Span } from "../../curves/span.ts";

/** The curves of all other metrics, collapsed. */
export function MoreCurves(props: {
  curves: ReadonlyMap<string, Curve>;
  but: string;
  span: Span;
  unit: string;
}) {
  const [open, setOpen] = useState(false);
  const names = [...props.curves.keys()].filter((name) => name !== props.but).sort();
  if (names.length === 0) return null;
  return (
    <details class="panel more-curves" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{names.length} more metrics</summary>
      {open && (
        <div class="charts">
          {names.map((name) => (
            <Chart
              key={name}
              title={name}
              span={props.span}
              lines={[{ label: name, color: lineColor(0), curve: props.curves.get(name)! }]}
              smoothing={0}
              log={false}
              axis="step"
              unit={props.unit}
              height={160}
            />
          ))}
        </div>
      )}
    </details>
  );
}
