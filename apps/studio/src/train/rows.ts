import { Curve } from "../curves/curve.ts";

/** Appends a row of metrics to their curves. */
export function addRow(
  curves: Map<string, Curve>,
  step: number,
  metrics: Readonly<Record<string, number>>,
): void {
  for (const [name, value] of Object.entries(metrics)) {
    if (!Number.isFinite(value)) continue;
    let curve = curves.get(name);
    if (!curve) curves.set(name, (curve = new Curve()));
    curve.x.push(Float64Array.of(step));
    curve.y.push(Float64Array.of(value));
    curve.grow();
  }
}
