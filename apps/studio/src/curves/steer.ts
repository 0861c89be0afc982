import type uPlot from "uplot";
import type { Span } from "./span.ts";

/** Mouse controls of a plot: Ctrl and wheel zoom, Shift and wheel or drag pan, a double click resets. */
export function steer(plot: uPlot, span: Span, whole: () => readonly [number, number]): void {
  plot.over.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey && !event.metaKey && !event.altKey) return;
    event.preventDefault();
    const [from, to] = span.range ?? whole();
    const turn = Math.max(-1, Math.min(1, (event.deltaY || event.deltaX) / 200));
    if (event.shiftKey) move(span, whole(), turn * 0.2);
    else {
      const at = plot.posToVal(plot.cursor.left ?? 0, "x");
      const factor = 2 ** turn;
      within(span, whole(), at - (at - from) * factor, at + (to - at) * factor);
    }
  });
  // With Shift, dragging pans instead of selecting a range.
  plot.over.addEventListener(
    "mousedown",
    (down) => {
      if (!down.shiftKey) return;
      down.stopImmediatePropagation();
      const [from, to] = span.range ?? whole();
      const pulled = ({ clientX }: MouseEvent) => {
        const by = ((down.clientX - clientX) / plot.over.clientWidth) * (to - from);
        span.range = [from, to];
        move(span, whole(), by / (to - from));
      };
      addEventListener("mousemove", pulled);
      addEventListener("mouseup", () => removeEventListener("mousemove", pulled), { once: true });
    },
    true,
  );
  plot.over.addEventListener("dblclick", () => {
    span.range = null;
  });
}

/** Pans by a share of the visible range. */
export function move(span: Span, whole: readonly [number, number], share: number): void {
  const [from, to] = span.range ?? whole;
  const by = Math.max(whole[0] - from, Math.min(whole[1] - to, (to - from) * share));
  within(span, whole, from + by, to + by);
}

/** Zooms by a factor around the middle. */
export function zoom(span: Span, whole: readonly [number, number], factor: number): void {
  const [from, to] = span.range ?? whole;
  const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
  within(span, whole, middle - half, middle + half);
}

function within(span: Span, [low, high]: readonly [number, number], from: number, to: number): void {
  if (!(to - from > (high - low) * 1e-7)) return;
  const range = [Math.max(low, from), Math.min(high, to)] as const;
  span.range = range[0] <= low && range[1] >= high ? null : range;
}
