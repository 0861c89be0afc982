import uPlot, { type AlignedData } from "uplot";
import { distinctPoints } from "./distinct-points.ts";
import { drawMarks } from "./marks.ts";
import { markNonFinite } from "./non-finite.ts";
import { isLike, optionsFor, type PlotSettings } from "./plot-options.ts";
import type { Span } from "./span.ts";
import { steer } from "./steer.ts";

/** Curves on a canvas, reduced to the number of pixels. */
export class Plot {
  private readonly place: HTMLElement;
  private readonly span: Span;
  private readonly hovered: (x: number | undefined) => void;
  private settings: PlotSettings;
  private drawn: uPlot;
  private readonly unfollow: () => void;
  private frame = 0;
  /** Whether it is visible; drawing is deferred until it is. */
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

  /** Shows new settings, or new points of the curves. */
  show(settings: PlotSettings): void {
    const old = this.settings;
    this.settings = settings;
    const same =
      old.log === settings.log &&
      old.axis === settings.axis &&
      old.height === settings.height &&
      old.smoothing > 0 === settings.smoothing > 0 &&
      old.lines.length === settings.lines.length &&
      old.lines.every((line, i) => isLike(line, settings.lines[i]));
    if (!same) this.remake();
    else this.draw();
  }

  /** Rebuilds the plot, for instance after a change of colours. */
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

  /** Sets whether it is visible. */
  seen(inSight: boolean): void {
    this.inSight = inSight;
    if (inSight && this.stale) this.later();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.unfollow();
    this.drawn.destroy();
  }

  /** The full range of the x axis. */
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

  /** The series of all lines: raw (if smoothed), smoothed, and band. */
  private data(min: number, max: number): AlignedData {
    const { lines, smoothing, log } = this.settings;
    const points = Math.max(50, this.place.clientWidth || 300);
    const tables: AlignedData[] = [];
    for (const { curve, low, high, stepped, dots } of lines) {
      const by = stepped || dots ? 0 : smoothing;
      const all = [
        ...(smoothing > 0 ? [curve.between(min, max, points)] : []),
        curve.smooth(by, min, max, points),
        ...(low && high ? [low, high].map((c) => c.smooth(by, min, max, points)) : []),
      ];
      for (const { x, y } of all)
        tables.push([x, log ? y.map((v) => (v !== null && v > 0 ? v : null)) : y] as AlignedData);
    }
    if (tables.length === 0) return [[]];
    return tables.length === 1 ? tables[0] : uPlot.join(tables.map(distinctPoints));
  }

  private make(): uPlot {
    const options = optionsFor(this.settings, {
      width: Math.max(50, Math.floor(this.place.clientWidth)),
      key: this.span.key,
      pointed: (left) => this.point(left),
      marked: (from, to) => {
        this.span.range = [from, to];
      },
      drawn: (u) => {
        markNonFinite(u, this.settings.lines);
        drawMarks(u, this.settings.marks ?? []);
      },
    });
    const [min, max] = this.span.range ?? this.whole;
    const plot = new uPlot(options, this.data(min, max), this.place);
    plot.setScale("x", { min, max });
    steer(plot, this.span, () => this.whole);
    return plot;
  }
}
