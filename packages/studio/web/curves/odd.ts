import type uPlot from "uplot";
import type { PlotLine } from "./plot-options.ts";

/** Marks where lines were NaN or infinite: short strokes that stand on the axis, one a pixel at most. */
export function markOdd(u: uPlot, lines: readonly PlotLine[]): void {
  const { ctx, bbox } = u;
  const { min, max } = u.scales.x;
  if (min == null || max == null) return;
  const pixel = (max - min) / Math.max(1, bbox.width);
  const height = Math.min(bbox.height, 10 * devicePixelRatio);
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { color, curve } of lines) {
    const { odd } = curve;
    ctx.strokeStyle = color;
    ctx.beginPath();
    for (
      let i = odd.lower(min);
      i < odd.length && odd.data[i] <= max;
      i = odd.lower(odd.data[i] + 2 * pixel)
    ) {
      const x = u.valToPos(odd.data[i], "x", true);
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x, bbox.top + bbox.height - height);
      if (pixel === 0) break;
    }
    ctx.stroke();
  }
  ctx.restore();
}
