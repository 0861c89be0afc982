import uPlot, { type Band, type Options, type Series } from "uplot";
import { duration, exact, short } from "../format.ts";
import { type LineLook, pageColor } from "./colors.ts";
import type { Curve } from "./curve.ts";
import { logTicks } from "./ticks.ts";
import { yRange } from "./y-range.ts";

/** A curve in a plot. */
export interface PlotLine extends LineLook {
  readonly label: string;
  readonly curve: Curve;
  /** Bounds of a band around the curve. */
  readonly low?: Curve;
  readonly high?: Curve;
  /** Whether it is drawn as a step function. */
  readonly stepped?: boolean;
  /** Whether points are drawn as dots. Such lines are not smoothed, since their points are few and independent. */
  readonly dots?: boolean;
}

/** The content and settings of a plot. */
export interface PlotSettings {
  readonly lines: readonly PlotLine[];
  /** From 0 (raw) to 1. */
  readonly smoothing: number;
  readonly log: boolean;
  readonly axis: "step" | "time" | "episode";
  readonly height: number;
  /** x values marked by dashed lines. */
  readonly marks?: readonly number[];
}

/** The width of a plot, and what it calls when the user points or selects. */
export interface PlotPlace {
  readonly width: number;
  /** Plots with the same key share the pointer. */
  readonly key: string;
  pointed(left: number): void;
  /** A range was selected. */
  marked(from: number, to: number): void;
  drawn(u: uPlot): void;
}

/** Options for uPlot. Each line has up to three series: raw (if smoothed), smoothed, and its band. */
export function optionsFor(settings: PlotSettings, place: PlotPlace): Options {
  const { log, axis, height } = settings;
  const side = {
    ...{ stroke: pageColor("soft"), font: "12px system-ui, sans-serif", ticks: { show: false } },
    grid: { stroke: pageColor("line"), width: 1 },
  };
  const values = (_: uPlot, at: number[]) => at.map((x) => (axis === "time" ? duration(x) : exact(x)));
  return {
    ...{ width: place.width, height, ...seriesFor(settings), legend: { show: false } },
    scales: { x: { time: false }, y: log ? { distr: 3 } : { range: heightFor } },
    axes: [
      { ...side, grid: { show: false }, values, size: 28, space: 70 },
      {
        ...side,
        ...(log ? logAxis : {}),
        values: (_, at) => at.map((y) => (y === null ? "" : short(y))),
        size: 58,
      },
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      sync: { key: place.key, setSeries: false },
    },
    hooks: {
      draw: [place.drawn],
      setCursor: [({ cursor: { left = -1 } }) => place.pointed(left)],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width > 3) place.marked(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** The range of the y axis for some values, with a margin. */
const heightFor = (_: uPlot, low: number, high: number): [number, number] => {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const [from, to] = uPlot.rangeNum(...yRange(low, high), 0.1, true);
  return [from ?? low, to ?? high];
};

/** Grid lines at ticks, as many as fit. */
const logAxis = {
  splits: (_: uPlot, __: number, low: number, high: number) => logTicks(low, high, 5),
  filter: (_: uPlot, splits: number[]) => splits,
};

/** The series and bands of some lines. */
export function seriesFor({ lines, smoothing }: Pick<PlotSettings, "lines" | "smoothing">): {
  series: Series[];
  bands: Band[];
} {
  const [series, bands]: [Series[], Band[]] = [[{}], []];
  for (const { label, color, low, high, stepped, dots, dash } of lines) {
    const common = {
      ...{ label, points: { show: false } },
      ...(stepped ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
      ...(dash ? { dash: [...dash] } : {}),
    };
    if (smoothing > 0) series.push({ ...common, stroke: `${color}40`, width: 1 });
    const points = dots ? { show: true, size: 7, fill: color } : { show: alone };
    series.push({ ...common, stroke: color, width: 1.75, points });
    if (!low || !high) continue;
    bands.push({ series: [series.length + 1, series.length], fill: `${color}26` });
    for (let i = 0; i < 2; i++) series.push({ ...common, stroke: "transparent", width: 0 });
  }
  return { series, bands };
}

/** A line of one point is drawn as a dot. */
const alone = (u: uPlot): boolean => u.data[0].length < 2;

/** Whether two lines use the same series. */
export const isLike = (a: PlotLine, b: PlotLine): boolean =>
  a.label === b.label &&
  a.color === b.color &&
  a.dash === b.dash &&
  a.stepped === b.stepped &&
  a.dots === b.dots &&
  (a.low === undefined) === (b.low === undefined);
