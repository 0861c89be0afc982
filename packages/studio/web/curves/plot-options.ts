import uPlot, { type Band, type Options, type Series } from "uplot";
import { duration, exact, short } from "../words.ts";
import { type LineLook, pageColor } from "./colors.ts";
import type { Curve } from "./curve.ts";

/** A curve in a plot. */
export interface PlotLine extends LineLook {
  readonly label: string;
  readonly curve: Curve;
  /** Lines above and below, as an interval. */
  readonly low?: Curve;
  readonly high?: Curve;
  /** Whether it stays at each point up to the next. */
  readonly stepped?: boolean;
}

/** What a plot shows, and how. */
export interface PlotSettings {
  readonly lines: readonly PlotLine[];
  /** From 0 (raw) to 1. */
  readonly smoothing: number;
  readonly log: boolean;
  readonly axis: "step" | "time" | "episode";
  readonly height: number;
}

/** What a plot is told by who looks at it, and how wide it is. */
export interface PlotPlace {
  readonly width: number;
  /** Plots of one key have one pointer. */
  readonly key: string;
  pointed(left: number): void;
  /** A stretch was marked. */
  marked(from: number, to: number): void;
  drawn(u: uPlot): void;
}

/** A plot as the library takes it. Of each line: the raw one where another is drawn over it, the smoothed one, its interval. */
export function optionsFor(settings: PlotSettings, place: PlotPlace): Options {
  const { log, axis, height } = settings;
  const side = {
    ...{ stroke: pageColor("soft"), font: "12px system-ui, sans-serif", ticks: { show: false } },
    grid: { stroke: pageColor("line"), width: 1 },
  };
  const values = (_: uPlot, at: number[]) => at.map((x) => (axis === "time" ? duration(x) : exact(x)));
  return {
    ...{ width: place.width, height, ...seriesFor(settings), legend: { show: false } },
    scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
    axes: [
      { ...side, grid: { show: false }, values, size: 28, space: 70 },
      { ...side, values: (_, at) => at.map((y) => (y === null ? "" : short(y))), size: 58 },
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

function seriesFor({ lines, smoothing }: PlotSettings): { series: Series[]; bands: Band[] } {
  const [series, bands]: [Series[], Band[]] = [[{}], []];
  for (const { label, color, low, high, stepped, dash } of lines) {
    const common = {
      ...{ label, points: { show: false } },
      ...(stepped ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
      ...(dash ? { dash: [...dash] } : {}),
    };
    if (smoothing > 0) series.push({ ...common, stroke: `${color}40`, width: 1 });
    series.push({ ...common, stroke: color, width: 1.75, points: { show: alone } });
    if (!low || !high) continue;
    bands.push({ series: [series.length + 1, series.length], fill: `${color}26` });
    for (let i = 0; i < 2; i++) series.push({ ...common, stroke: "transparent", width: 0 });
  }
  return { series, bands };
}

/** Points are drawn where there is but one: a line of one point is nothing. */
const alone = (u: uPlot): boolean => u.data[0].length < 2;

/** Whether two lines are drawn by series of the same kind. */
export const isLike = (a: PlotLine, b: PlotLine): boolean =>
  a.label === b.label &&
  a.color === b.color &&
  a.dash === b.dash &&
  a.stepped === b.stepped &&
  (a.low === undefined) === (b.low === undefined);
