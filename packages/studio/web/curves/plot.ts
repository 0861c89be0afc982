import uPlot, { type AlignedData, type Options, type Series } from "uplot";
import { compact, duration, short } from "../words.ts";
import { apart } from "./apart.ts";
import { pageColor } from "./colors.ts";
import type { Curve } from "./curve.ts";
import { markOdd } from "./odd.ts";
import type { Span } from "./span.ts";
import { steer } from "./steer.ts";

/** A curve in a plot. */
export interface PlotLine {
  readonly label: string;
  readonly color: string;
  readonly curve: Curve;
  /** Lines above and below, as an interval. */
  readonly low?: Curve;
  readonly high?: Curve;
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

/** Curves on a canvas, of which so much is drawn as there are pixels. */
export class Plot {
  private readonly place: HTMLElement;
  private readonly span: Span;
  private readonly hovered: (x: number | undefined) => void;
  private settings: PlotSettings;
  private drawn: uPlot;
  private readonly unfollow: () => void;
  private frame = 0;
  /** Whether it is in sight: what is not is drawn when it comes to be. */
  private inSight = true;
  private stale = false;
  private pointed = false;

  constructor(
    place: HTMLElement,
    settings: PlotSettings,
    span: Span,
    hovered: (x: number | undefined) => void,
  ) {
    this.place = place;
    this.settings = settings;
    this.span = span;
    this.hovered = hovered;
    this.drawn = this.make();
    this.unfollow = span.follow(() => this.later());
  }

  /** Shows something else, or the same when it has grown. */
  show(settings: PlotSettings): void {
    const old = this.settings;
    this.settings = settings;
    const same =
      old.log === settings.log &&
      old.axis === settings.axis &&
      old.height === settings.height &&
      old.smoothing > 0 === settings.smoothing > 0 &&
      old.lines.length === settings.lines.length &&
      old.lines.every(
        ({ label, color }, i) => label === settings.lines[i].label && color === settings.lines[i].color,
      );
    if (!same) this.remake();
    else this.draw();
  }

  /** Makes it anew, as where colours have changed. */
  remake(): void {
    this.drawn.destroy();
    this.drawn = this.make();
  }

  resize(): void {
    const width = Math.floor(this.place.clientWidth);
    if (width > 0 && width !== this.drawn.width) {
      this.drawn.setSize({ width, height: this.settings.height });
      this.draw();
    }
  }

  /** Says whether it can be seen. */
  seen(inSight: boolean): void {
    this.inSight = inSight;
    if (inSight && this.stale) this.later();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.unfollow();
    this.drawn.destroy();
  }

  /** All that there is of the x axis. */
  get whole(): readonly [number, number] {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { curve } of this.settings.lines) {
      const { data, length } = curve.x;
      if (length === 0) continue;
      low = Math.min(low, data[0]);
      high = Math.max(high, data[length - 1]);
    }
    if (!(low <= high)) return [0, 1];
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  }

  private point(left: number): void {
    const x = left < 0 ? undefined : this.drawn.posToVal(left, "x");
    if (x !== undefined || this.pointed) this.hovered(x);
    this.pointed = x !== undefined;
  }

  private later(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.stale = !this.inSight;
    if (this.stale) return;
    const [min, max] = this.span.range ?? this.whole;
    this.drawn.batch(() => {
      this.drawn.setData(this.data(min, max), false);
      this.drawn.setScale("x", { min, max });
    });
  }

  /** Of each line: the raw one where another is drawn over it, the smoothed one, its interval. */
  private data(min: number, max: number): AlignedData {
    const { lines, smoothing, log } = this.settings;
    const points = Math.max(50, this.place.clientWidth || 300);
    const tables: AlignedData[] = [];
    for (const { curve, low, high } of lines) {
      const all = [
        ...(smoothing > 0 ? [curve.between(min, max, points)] : []),
        curve.smooth(smoothing, min, max, points),
        ...(low && high ? [low, high].map((c) => c.smooth(smoothing, min, max, points)) : []),
      ];
      for (const { x, y } of all)
        tables.push([x, log ? y.map((v) => (v !== null && v > 0 ? v : null)) : y] as AlignedData);
    }
    if (tables.length === 0) return [[]];
    return tables.length === 1 ? tables[0] : uPlot.join(tables.map(apart));
  }

  private make(): uPlot {
    const { lines, smoothing, log, axis, height } = this.settings;
    const [ink, grid] = [pageColor("soft"), pageColor("line")];
    const series: Series[] = [{}];
    const bands: uPlot.Band[] = [];
    for (const { label, color, low, high } of lines) {
      const common = { label, points: { show: false } } as const;
      if (smoothing > 0) series.push({ ...common, stroke: `${color}40`, width: 1 });
      series.push({ ...common, stroke: color, width: 1.75, points: { show: alone } });
      if (!low || !high) continue;
      bands.push({ series: [series.length + 1, series.length], fill: `${color}26` });
      for (let i = 0; i < 2; i++) series.push({ ...common, stroke: "transparent", width: 0 });
    }
    const font = "12px system-ui, sans-serif";
    const side = { stroke: ink, font, ticks: { show: false }, grid: { stroke: grid, width: 1 } };
    const values = (_: uPlot, at: number[]) => at.map((x) => (axis === "time" ? duration(x) : compact(x)));
    const options: Options = {
      width: Math.max(50, Math.floor(this.place.clientWidth)),
      height,
      series,
      bands,
      legend: { show: false },
      scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
      axes: [
        { ...side, grid: { show: false }, values, size: 28, space: 70 },
        { ...side, values: (_, at) => at.map((y) => (y === null ? "" : short(y))), size: 58 },
      ],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        // Plots of one stretch have one pointer.
        sync: { key: this.span.key, setSeries: false },
      },
      hooks: {
        draw: [(u) => markOdd(u, this.settings.lines)],
        setCursor: [({ cursor: { left = -1 } }) => this.point(left)],
        setSelect: [
          (u) => {
            if (u.select.width > 3)
              this.span.range = [
                u.posToVal(u.select.left, "x"),
                u.posToVal(u.select.left + u.select.width, "x"),
              ];
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    };
    const [min, max] = this.span.range ?? this.whole;
    const plot = new uPlot(options, this.data(min, max), this.place);
    plot.setScale("x", { min, max });
    steer(plot, this.span, () => this.whole);
    return plot;
  }
}

/** Points are drawn where there is but one: a line of one point is nothing. */
const alone = (u: uPlot): boolean => u.data[0].length < 2;
