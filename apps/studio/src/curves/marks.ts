import type uPlot from "uplot";
import { pageColor } from "./colors.ts";

/** Draws dashed vertical lines at x values. */
export function drawMarks(u: uPlot, places: readonly number[]): void {
  const { ctx, bbox } = u;
  const { min, max } = u.scales.x;
  if (min == null || max == null || places.length === 0) return;
  ctx.save();
  ctx.strokeStyle = pageColor("soft");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  for (const place of places) {
    if (place < min || place > max) continue;
    const x = Math.round(u.valToPos(place, "x", true));
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}
