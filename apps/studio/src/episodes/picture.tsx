import type { Frame } from "@reins/studio/wire";
import { useEffect, useRef } from "preact/hooks";
import { draw, framed } from "./draw.ts";

/** One frame of an episode: a drawing, else text. */
export function Picture({ frame, label }: { frame: Frame | undefined; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = frame?.drawing;
  useEffect(() => {
    if (canvas.current && drawing) draw(canvas.current, drawing);
  });
  if (drawing) return <canvas ref={canvas} role="img" aria-label={label} {...framed(drawing)} />;
  return <pre class="picture text">{frame?.text}</pre>;
}
