import type { Rendering } from "@reins/core";
import { Canvas } from "../canvas.ts";

/** A text rendering of 64 × 18 characters. */
export function drawingAsText({ width, height, shapes }: Rendering): string {
  const canvas = new Canvas(64, 18);
  const scale = Math.min(127 / width, 71 / height);
  for (const shape of shapes) {
    if (shape.kind === "circle")
      canvas.disc(shape.center[0] * scale, shape.center[1] * scale, Math.max(0.5, shape.radius * scale));
    else if (shape.kind === "text") canvas.text(shape.at[0] * scale, shape.at[1] * scale, shape.text);
    else {
      const points = shape.kind === "polygon" ? [...shape.points, shape.points[0]] : shape.points;
      const thick = shape.kind === "line" ? Math.floor((shape.width * scale) / 2) : 0;
      for (let i = 1; i < points.length; i++)
        for (let by = -thick; by <= thick; by++) {
          const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
          // Parallel lines, across its direction.
          const long = Math.hypot(x1 - x0, y1 - y0) || 1;
          const [dx, dy] = [(-(y1 - y0) / long) * by, ((x1 - x0) / long) * by];
          canvas.line(x0 * scale + dx, y0 * scale + dy, x1 * scale + dx, y1 * scale + dy);
        }
    }
  }
  return String(canvas);
}
