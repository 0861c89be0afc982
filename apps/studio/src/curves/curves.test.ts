import { absent } from "@reins/studio/wire";
import { describe, expect, it } from "vitest";
import { meanOf, summary, valueAt } from "../statistics/resample.ts";
import { Band } from "./band.ts";
import { fillOf } from "./colors.ts";
import { Column } from "./column.ts";
import { Curve } from "./curve.ts";
import { distinctPoints } from "./distinct-points.ts";
import { csvOf, svgOf } from "./export.ts";
import { Growable } from "./growable.ts";
import { seriesFor } from "./plot-options.ts";
import { Pyramid } from "./pyramid.ts";
import { logTicks, ticks } from "./ticks.ts";
import { Track } from "./track.ts";
import { yRange } from "./y-range.ts";

const growable = (values: readonly number[]) => {
  const g = new Growable();
  g.push(Float64Array.from(values));
  return g;
};
const curve = (x: readonly number[], y: readonly number[]) => {
  const c = new Curve(growable(x), growable(y));
  c.grow();
  return c;
};

describe("a pyramid", () => {
  it("keeps all peaks at every scale, and grows incrementally", () => {
    const n = 100_003;
    const values = Array.from(
      { length: n },
      (_, i) => Math.sin(i / 50) + (i === 77_777 ? 100 : 0) - (i === 5 ? 50 : 0),
    );
    const [x, y] = [new Growable(), new Growable()];
    const pieces = new Pyramid(x, y);
    for (let from = 0; from < n; from += 7001) {
      const part = values.slice(from, from + 7001);
      x.push(Float64Array.from(part, (_, i) => from + i));
      y.push(Float64Array.from(part));
      pieces.grow();
    }
    const whole = new Pyramid(x, y);
    whole.grow();
    for (const points of [50, 300, 1000]) {
      const drawn = pieces.between(0, n, points);
      expect(drawn).toEqual(whole.between(0, n, points));
      expect(drawn.x.length).toBeLessThan(5 * points + 40);
      expect([Math.max(...(drawn.y as number[])), Math.min(...(drawn.y as number[]))]).toEqual([
        Math.max(...values),
        Math.min(...values),
      ]);
      expect(drawn.x).toEqual([...drawn.x].sort((a, b) => a - b));
    }
  });

  it("shows every point of a short range, and one beyond each end", () => {
    const c = curve([0, 1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10, 11]);
    expect(c.between(2.5, 3.5, 100)).toEqual({ x: [2, 3, 4, 5], y: [7, 8, 9, 10] });
  });

  it("leaves gaps for NaN", () => {
    const c = curve([0, 1, 2], [1, Number.NaN, Number.POSITIVE_INFINITY]);
    expect(c.between(0, 2, 10).y).toEqual([1, null, null]);
    const many = curve(
      Array.from({ length: 1000 }, (_, i) => i),
      Array.from({ length: 1000 }, () => Number.NaN),
    );
    expect(new Set(many.between(0, 1000, 10).y)).toEqual(new Set([null]));
    expect(many.nonFinite.length).toBe(1000);
  });

  it("ignores leading NaN in a metric that starts late", () => {
    const values = [Number.NaN, Number.NaN, 1, Number.NaN, Number.POSITIVE_INFINITY];
    const nonFinite = (y: readonly number[], late: boolean) => {
      const c = new Curve(growable(y.map((_, i) => i)), growable(y), { late });
      c.grow();
      return [c.hasNumbers, ...c.nonFinite.data.subarray(0, c.nonFinite.length)];
    };
    expect(nonFinite(values, true)).toEqual([true, 3, 4]);
    expect(nonFinite(values, false)).toEqual([true, 0, 1, 3, 4]);
    expect(nonFinite([Number.NaN], true)).toEqual([false]);
    expect(nonFinite([Number.NEGATIVE_INFINITY], true)).toEqual([false, 0]);
  });

  it("is not emptied by an infinity", () => {
    const values = Array.from({ length: 8000 }, (_, i) => (i === 4000 ? Number.POSITIVE_INFINITY : i % 10));
    values[10] = Number.NEGATIVE_INFINITY;
    const c = curve(
      values.map((_, i) => i),
      values,
    );
    const { y } = c.between(0, 8000, 100);
    expect([Math.min(...(y as number[])), Math.max(...(y as number[]))]).toEqual([0, 9]);
    expect([...c.nonFinite.data.subarray(0, c.nonFinite.length)]).toEqual([10, 4000]);
  });
});

describe("a column", () => {
  it("contains only rows that have the metric, NaN included", () => {
    const all = new Growable();
    const [whole, some] = [new Column(all), new Column(all)];
    const read = (steps: number[], a: number[], b: number[]) => {
      whole.take(Float64Array.from(steps), Float64Array.from(a));
      some.take(Float64Array.from(steps), Float64Array.from(b));
      all.push(Float64Array.from(steps));
    };
    const rows = ({ step, value }: Column) =>
      Array.from({ length: value.length }, (_, i) => [step.data[i], value.data[i]]);
    read([1, 2], [10, 20], [5, Number.NaN]);
    expect(some.step).toBe(whole.step);
    read([2, 3], [21, 30], [absent, 7]);
    expect(rows(whole)).toEqual([
      [1, 10],
      [2, 20],
      [2, 21],
      [3, 30],
    ]);
    expect(rows(some)).toEqual([
      [1, 5],
      [2, Number.NaN],
      [3, 7],
    ]);
    expect(some.step.length).toBe(3);
  });

  it("waits for values of another axis that are not loaded yet", () => {
    const [steps, marks] = [new Growable(), new Growable()];
    const [metric, seconds] = [new Column(steps), new Column(marks)];
    const add = (column: Column, list: Growable, rows: [number, number][]) => {
      const at = Float64Array.from(rows, ([step]) => step);
      column.take(
        at,
        Float64Array.from(rows, ([, value]) => value),
      );
      list.push(at);
    };
    const track = new Track(metric, seconds);
    const drawn = () => {
      const { x, y } = track.grow();
      expect(x.length).toBe(y.length);
      return Array.from({ length: x.length }, (_, i) => [x.data[i], y.data[i]]);
    };
    add(metric, steps, [
      [10, 1],
      [20, 2],
      [30, 3],
    ]);
    expect(drawn()).toEqual([]);
    add(seconds, marks, [
      [10, 0.5],
      [20, 1],
    ]);
    expect(drawn()).toEqual([
      [0.5, 1],
      [1, 2],
    ]);
    add(seconds, marks, [[40, 4]]);
    expect(drawn()).toEqual([
      [0.5, 1],
      [1, 2],
      [4, 3],
    ]);
    expect(track.isOf(metric, seconds)).toBe(true);
    expect(track.isOf(metric, metric)).toBe(false);
  });
});

describe("ticks", () => {
  it("are round", () => {
    expect(ticks(-43, 584, 6)).toEqual([0, 200, 400]);
    expect(ticks(0, 0.7, 6)).toEqual([0, 0.2, 0.4, 0.6]);
    expect(ticks(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(ticks(5, 5, 6)).toEqual([5]);
    expect(logTicks(0.002, 300, 6)).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(logTicks(2, 8, 3)).toEqual([2, 4, 6, 8]);
  });

  it("adapt to the number of decades of a logarithmic axis", () => {
    expect(logTicks(1e-8, 1, 5)).toEqual([1e-8, 1e-6, 1e-4, 1e-2, 1]);
    expect(logTicks(1, 10, 6)).toEqual([1, 2, 5, 10]);
  });
});

describe("the y axis", () => {
  it("does not magnify small changes of large values", () => {
    const [low, high] = yRange(40.62, 40.68);
    expect((40.68 - 40.62) / (high - low)).toBeLessThan(0.05);
    expect((low + high) / 2).toBeCloseTo(40.65, 9);
    expect(yRange(-3, -3)).toEqual([-3.075, -2.925]);
  });

  it("does not widen larger ranges, and shows zeros alone from 0 to 1", () => {
    expect([yRange(20, 500), yRange(-0.1, 0.1), yRange(0, 0)]).toEqual([
      [20, 500],
      [-0.1, 0.1],
      [0, 1],
    ]);
  });
});

describe("a band", () => {
  const rows = ({ x, y }: Curve) => Array.from({ length: x.length }, (_, i) => [x.data[i], y.data[i]]);

  it("is the mean plus and minus one standard deviation, and grows with both curves", () => {
    const [mean, deviation] = [curve([10, 20], [5, 8]), curve([10, 20], [1, 2])];
    const band = new Band(mean, deviation).grow();
    mean.x.push(Float64Array.of(30));
    mean.y.push(Float64Array.of(9));
    deviation.x.push(Float64Array.of(30));
    deviation.y.push(Float64Array.of(0.5));
    band.grow();
    expect(rows(band.low)).toEqual([
      [10, 4],
      [20, 6],
      [30, 8.5],
    ]);
    expect(rows(band.high)).toEqual([
      [10, 6],
      [20, 10],
      [30, 9.5],
    ]);
    expect([band.isOf(mean, deviation), band.isOf(deviation, mean)]).toEqual([true, false]);
  });

  it("has a gap where the standard deviation is missing", () => {
    const { low } = new Band(curve([10, 20, 30], [5, 8, 9]), curve([10, 30], [1, 3])).grow();
    expect(rows(low)).toEqual([
      [10, 4],
      [20, Number.NaN],
      [30, 6],
    ]);
  });
});

it("evaluations are drawn as dots, and a band between its two lines", () => {
  const line = { label: "evaluation/return", color: "#112233", curve: curve([1, 2], [3, 4]) };
  const { series, bands } = seriesFor({
    lines: [{ ...line, dots: true, low: line.curve, high: line.curve }],
    smoothing: 0,
  });
  expect(series.map(({ points }) => points?.show)).toEqual([undefined, true, false, false]);
  expect(bands).toEqual([{ series: [3, 2], fill: "#11223326" }]);
  expect(seriesFor({ lines: [line], smoothing: 0 }).series[1].points?.show).not.toBe(true);
});

it("separates points with equal x", () => {
  const [x, y] = distinctPoints([
    [1, 1, 1, 2],
    [5, 6, 7, 8],
  ]);
  expect([...x]).toEqual([...new Set(x)].sort((a, b) => a - b));
  expect(x[2]).toBeCloseTo(1, 9);
  expect(y).toEqual([5, 6, 7, 8]);
});

describe("a smoothed curve", () => {
  it("is an exponential moving average", () => {
    const c = curve([0, 1, 2], [1, 2, 4]);
    const [a, b, d] = c.smooth(0.5, 0, 2, 100).y as number[];
    expect([a, b]).toEqual([1, (0.5 * 2 + 0.25 * 1) / 0.75]);
    expect(d).toBeCloseTo((0.5 * 4 + 0.25 * 2 + 0.125 * 1) / 0.875, 12);
  });

  it("grows incrementally", () => {
    const values = Array.from({ length: 500 }, (_, i) => (i % 7 === 3 ? Number.NaN : Math.cos(i)));
    const [x, y] = [new Growable(), new Growable()];
    const grown = new Curve(x, y);
    for (let i = 0; i < 500; i += 50) {
      x.push(Float64Array.from({ length: 50 }, (_, k) => i + k));
      y.push(Float64Array.from(values.slice(i, i + 50)));
      grown.grow();
      grown.smooth(0.9, 0, 500, 1000);
    }
    const whole = curve([...x.data.subarray(0, 500)], values);
    expect(grown.smooth(0.9, 0, 500, 1000)).toEqual(whole.smooth(0.9, 0, 500, 1000));
    expect(grown.at(120.4)).toEqual({ x: 120, raw: values[120], smooth: expect.any(Number) });
  });
});

describe("a mean of curves", () => {
  it("covers the range that all curves share", () => {
    const a = curve([0, 10], [0, 10]);
    const b = curve([2, 12], [4, 24]);
    const { curve: mean, low, high } = meanOf([a, b]);
    expect([mean.x.data[0], mean.x.data[mean.x.length - 1]]).toEqual([2, 10]);
    expect(valueAt(mean, 2)).toBe(3);
    expect(valueAt(mean, 10)).toBe(15);
    const half = (12.706204736174694 * Math.abs(valueAt(b, 10) - valueAt(a, 10))) / 2;
    expect(valueAt(high!, 10) - valueAt(mean, 10)).toBeCloseTo(half, 9);
    expect(valueAt(mean, 10) - valueAt(low!, 10)).toBeCloseTo(half, 9);
    expect(meanOf([a]).low).toBeUndefined();
    expect(meanOf([]).curve.x.length).toBe(0);
    expect(meanOf([a, curve([20, 30], [1, 1])]).curve.x.length).toBe(0);
  });

  it("ignores rows without the metric", () => {
    const whole = curve([0, 1, 2, 3], [0, 1, 2, 3]);
    const gaps = curve([0, 1, 2, 3], [0, Number.NaN, Number.NaN, 9]);
    const { curve: mean } = meanOf([whole, gaps]);
    for (const x of [0, 0.5, 1.5, 3]) expect(valueAt(mean, x)).toBeCloseTo((x + 3 * x) / 2, 9);
  });

  it("has Student's 95% interval", () => {
    // The quantile of nine degrees of freedom is 2.2621571628 (SciPy).
    expect(summary([-3, 3, -3, 3, -3, 3, -3, 3, -3, 3]).half).toBeCloseTo(2.262157162798205, 12);
    const { mean, half } = summary([12, 9, 15, 11, 8, 14, 10, 13, 9, 12]);
    expect([mean, Number(half.toFixed(2))]).toEqual([11.3, 1.65]);
  });
});

it("lines of the same colour differ in their dashes", () => {
  expect(fillOf({ color: "red" })).toBe("red");
  expect(fillOf({ color: "red", dash: [8, 4] })).toBe(
    "repeating-linear-gradient(90deg, red 0px 4px, transparent 4px 6px)",
  );
});

it("exports SVG and CSV", () => {
  const line = { label: 'a <"b">, c', color: "#123456", curve: curve([0, 1, 2], [1, 2, 3]) };
  const view = {
    title: "return/mean",
    axis: "step",
    lines: [line],
    smoothing: 0,
    log: false,
    range: [0, 2],
  } as const;
  const svg = svgOf(view);
  expect(svg).toContain("a &#60;&#34;b&#34;&#62;, c");
  expect(svg.match(/<polyline points="([^"]*)"/)![1].split(" ").length).toBe(3);
  expect(svgOf({ ...view, lines: [{ ...line, dash: [9, 5] }] })).toContain('stroke-dasharray="9 5"');
  const gap = { ...line, curve: curve([0, 1, 2, 3, 4], [1, 2, Number.NaN, 4, 5]) };
  expect(svgOf({ ...view, lines: [gap], range: [0, 4] }).match(/<polyline/g)).toHaveLength(2);
  // A constant on a logarithmic scale, and a name with a character that XML does not allow.
  const small = { ...line, label: "a\u0001", curve: curve([0, 1], [3e-4, 3e-4]) };
  const constant = svgOf({ ...view, lines: [small], log: true });
  for (const wrong of ["NaN", "\u0001"]) expect(constant).not.toContain(wrong);
  expect(csvOf({ ...view, lines: [{ ...line, label: "=1+1" }] })).toContain("\n'=1+1,0,1,,\n");
  expect(csvOf(view)).toBe(
    'label,step,value,low,high\n"a <""b"">, c",0,1,,\n"a <""b"">, c",1,2,,\n"a <""b"">, c",2,3,,\n',
  );
});
