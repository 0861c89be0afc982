import type { Frame } from "@reins/studio/wire";
import type { CSSProperties } from "preact";

type Drawing = NonNullable<Frame["drawing"]>;
type Point = readonly [number, number];

/** Draws a rendering of an environment. Invalid shapes are skipped, since files may hold anything. */
export function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [sizeOf(drawing.width), sizeOf(drawing.height)];
  const scale = (canvas.clientWidth / width) * ratio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d")!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = drawing.background ?? "#ffffff";
  context.fillRect(0, 0, width, height);
  for (const shape of drawing.shapes) {
    try {
      drawShape(context, shape);
    } catch {}
  }
}

/** Class and style of a rendering: it fills the width, and white backgrounds are dimmed on dark pages. */
export function framed({ width, height, background }: Drawing): { class: string; style: CSSProperties } {
  return {
    class: background ? "picture" : "picture white",
    style: { "--ratio": sizeOf(width) / sizeOf(height), aspectRatio: `${sizeOf(width)} / ${sizeOf(height)}` },
  };
}

const sizeOf = (x: unknown): number => Math.min(4000, Math.max(1, Number(x) || 1));

function drawShape(context: CanvasRenderingContext2D, shape: Readonly<Record<string, unknown>>): void {
  const { kind, color } = shape;
  context.fillStyle = context.strokeStyle = String(color);
  if (kind === "circle") {
    const [x, y] = shape.center as Point;
    context.beginPath();
    context.arc(x, y, Math.abs(Number(shape.radius)), 0, 2 * Math.PI);
    context.fill();
  } else if (kind === "text") {
    const [x, y] = shape.at as Point;
    // Capital letters are about 0.72 of the font size.
    context.font = `${Number(shape.size) / 0.72}px system-ui, sans-serif`;
    context.fillText(String(shape.text), x, y);
  } else if (kind === "line" || kind === "polygon") {
    context.beginPath();
    (shape.points as Point[]).forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    if (kind === "polygon") {
      context.closePath();
      context.fill();
    } else {
      context.lineWidth = Number(shape.width);
      context.lineCap = context.lineJoin = "round";
      context.stroke();
    }
  }
}
