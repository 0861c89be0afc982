import { useEffect, useRef, useState } from "preact/hooks";
import "uplot/dist/uPlot.min.css";
import { compact, duration, short } from "../format.ts";
import { Plot } from "./plot.ts";
import type { PlotSettings } from "./plot-options.ts";
import type { Span } from "./span.ts";
import { move, zoom } from "./steer.ts";

/** A plot with its title and the values under the pointer. */
export function Chart({
  title,
  about,
  span,
  unit,
  measure,
  named = true,
  ...settings
}: PlotSettings & {
  title: string;
  about?: string;
  span: Span;
  /** The unit of the x axis. */
  unit?: string;
  /** The unit of the values. */
  measure?: string;
  /** Whether the values under the pointer have labels. */
  named?: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const [x, setX] = useState<number>();
  useEffect(() => {
    const made = new Plot(place.current!, settings, span, setX);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.resize());
    sizes.observe(place.current!);
    const sight = new IntersectionObserver(([{ isIntersecting }]) => made.seen(isIntersecting));
    sight.observe(place.current!);
    const themes = new MutationObserver(() => made.remake());
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      sizes.disconnect();
      sight.disconnect();
      themes.disconnect();
      made.close();
    };
  }, [span]);
  useEffect(() => plot.current?.show(settings));
  const { lines, axis } = settings;
  const empty = lines.every(({ curve }) => curve.x.length === 0);
  return (
    <figure class="chart" data-points={Math.max(0, ...lines.map(({ curve }) => curve.x.length))}>
      <figcaption>
        <span class="chart-title" title={about}>
          {title}
        </span>
        {measure && <span class="soft small">{measure}</span>}
        <span class="chart-values">
          {lines.slice(0, 6).map(({ label, color, curve }) => {
            const at = curve.at(x ?? Number.POSITIVE_INFINITY);
            return (
              at && (
                <span key={label} style={{ color }} title={label}>
                  {named && lines.length > 1 ? `${label} ` : ""}
                  {curve.hasNumbers ? short(at.smooth ?? at.raw) : "–"}
                  {at.smooth !== undefined && <span class="soft"> raw {short(at.raw)}</span>}
                </span>
              )
            );
          })}
          {x !== undefined && <span class="soft">{placeOf(axis, x, unit)}</span>}
        </span>
      </figcaption>
      <div
        ref={place}
        class="plot"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move in it, plus and minus zoom
        tabIndex={0}
        aria-label={`${title}: arrows move, plus and minus zoom, 0 shows all`}
        onKeyDown={(event) => {
          const whole = plot.current!.whole;
          const act: Record<string, () => void> = {
            ArrowLeft: () => move(span, whole, -0.2),
            ArrowRight: () => move(span, whole, 0.2),
            "+": () => zoom(span, whole, 0.5),
            "-": () => zoom(span, whole, 2),
            "0": () => {
              span.range = null;
            },
          };
          if (!act[event.key]) return;
          event.preventDefault();
          act[event.key]();
        }}
        style={{ minHeight: `${settings.height}px` }}
      />
      {lines.some(({ curve }) => curve.nonFinite.length > 0) && (
        <p class="soft small">Strokes on the axis mark NaN or infinite values.</p>
      )}
      {empty && <p class="chart-empty soft">No data yet.</p>}
    </figure>
  );
}

/** An x value as text. */
const placeOf = (axis: PlotSettings["axis"], x: number, unit = `${axis}s`): string =>
  axis === "time" ? `after ${duration(x)}` : `at ${compact(x)} ${unit}`;
