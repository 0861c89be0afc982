import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Span } from "../curves/span.ts";

/** How curves are drawn. */
export interface CurveView {
  readonly axis: "step" | "time" | "episode";
  /** From 0 (raw) to 0.99. */
  readonly smoothing: number;
  readonly log: boolean;
}

const usual: CurveView = { axis: "step", smoothing: 0, log: false };

/** How curves are drawn, as last chosen. */
export function useCurveView(): [CurveView, (view: CurveView) => void] {
  const [view, setView] = useState<CurveView>(() => {
    try {
      return { ...usual, ...JSON.parse(localStorage.getItem("curves") ?? "{}") };
    } catch {
      return usual;
    }
  });
  return [
    view,
    (next) => {
      localStorage.setItem("curves", JSON.stringify(next));
      setView(next);
    },
  ];
}

/** Controls for the x axis, smoothing and scale of curves. */
export function CurveTools(props: {
  view: CurveView;
  change(view: CurveView): void;
  span: Span;
  /** What a step is called (default steps). */
  unit?: string;
  children?: ComponentChildren;
}) {
  const { view, change, span, unit = "steps", children } = props;
  return (
    <div class="toolbar">
      {children}
      <label>
        Over
        <select
          value={view.axis}
          onChange={(e) => {
            span.range = null;
            change({ ...view, axis: e.currentTarget.value as CurveView["axis"] });
          }}
        >
          <option value="step">{unit}</option>
          <option value="time">time</option>
          <option value="episode">episodes</option>
        </select>
      </label>
      <label>
        Smooth
        <input
          type="range"
          min={0}
          max={0.99}
          step={0.01}
          value={view.smoothing}
          onInput={(e) => change({ ...view, smoothing: Number(e.currentTarget.value) })}
        />
        <output class="soft">{view.smoothing.toFixed(2)}</output>
      </label>
      <label>
        <input
          type="checkbox"
          checked={view.log}
          onChange={(e) => change({ ...view, log: e.currentTarget.checked })}
        />
        Logarithmic
      </label>
      <button type="button" class="plain" onClick={() => (span.range = null)}>
        Show all
      </button>
      <span class="soft wide-only">Drag to zoom, Shift-drag to pan, double-click to reset</span>
    </div>
  );
}
