import type uPlot from "uplot";
import type { PlotLine } from "./plot-options.ts";

/** Marks NaN and infinite values with short strokes on the x axis, at most one per pixel. */
export function markNonFinite(u: uPlot, lines: readonly PlotLine[]): void {
  const { ctx, bbox } = u;
  const { min, max } = u.scales.x;
  if (min == null || max == null) return;
  const pixel = (max - min) / Math.max(1, bbox.width);
  const height = Math.min(bbox.height, 10 * devicePixelRatio);
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { color, curve } of lines) {
    const { nonFinite } = curve;
    ctx.strokeStyle = color;
    ctx.beginPath();
    for (
      let i = nonFinite.lower(min);
      i < nonFinite.length && nonFinite.data[i] <= max;
      i = nonFinite.lower(nonFinite.data[i] + 2 * pixel)
    ) {
      const x = u.valToPos(nonFinite.data[i], "x", true);
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x, bbox.top + bbox.height - height);
      if (pixel === 0) break;
    }
    ctx.stroke();
  }
  ctx.restore();
}
