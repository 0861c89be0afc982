import { estimate, proportionInterval } from "@reins/core/evaluations";
import { describe, expect, it } from "vitest";
import { bar } from "./bar.ts";
import { Braille } from "./braille.ts";
import {
  ago,
  compact,
  counted,
  distinctLine,
  estimateText,
  grouped,
  intervalText,
  rateText,
  short,
  spreadText,
  time,
  wrap,
} from "./format.ts";
import { histogram } from "./histogram.ts";
import { History } from "./history.ts";
import { inkFor, pad, plainInk, widthOf } from "./ink.ts";
import { plot } from "./plot.ts";
import { ticks } from "./scale.ts";
import { smoothed } from "./smoothing.ts";
import { resample, sparkline } from "./sparkline.ts";
import { svg } from "./svg.ts";
import { markdownTable, table } from "./table.ts";

const rising = { name: "rising", x: [0, 50, 100], y: [0, 50, 100] };
const falling = { name: "falling", x: [0, 100], y: [100, Number.NaN] };

describe("number formats", () => {
  it("shortens numbers", () => {
    expect([7, 1000, 1234567].map(grouped)).toEqual(["7", "1 000", "1 234 567"]);
    expect([500, 475.26, 12.345, 0.01234, 1.2e-5, -3, 12345.6, Number.NaN].map(short)).toEqual(
      ["500", "475.3", "12.3", "0.0123", "1.2e-5", "-3", "12 346", "–"], // as a table has room for
    );
    expect([950, 12_000, 1_500_000].map(compact)).toEqual(["950", "12k", "1.5M"]);
    expect([0.04, 12.4, 119, 130, 8000].map(time)).toEqual([
      "0.0 s",
      "12 s",
      "119 s",
      "2 min 10 s",
      "2 h 13 min",
    ]);
    expect(spreadText(500, 12.34)).toBe("sd 12.3");
    expect(spreadText(1, 6.7e-16)).toBe("sd 0");
    expect(spreadText(0, 6.7e-16)).toBe("sd 6.7e-16");
    expect(intervalText([471.2, 500])).toBe("95% CI [471.2, 500]");
    expect(distinctLine({ distinct: 6 }, 100)[0]).toContain("Only 6 of these held-out problems are distinct");
    expect([...distinctLine({ distinct: 96 }, 100), ...distinctLine({}, 100)]).toEqual([]);
    expect(estimateText({ mean: 475.2, std: 20.12, interval: [471.2, 479.2] })).toBe(
      "475.2 (95% CI [471.2, 479.2], sd 20.1)",
    );
    // One sample has no confidence interval.
    expect(estimateText(estimate([7]))).toBe("7");
    expect(estimateText({ mean: Number.NaN, std: Number.NaN })).toBe("–");
    expect(rateText(1, proportionInterval(20, 20))).toBe("100% (95% CI [83.9%, 100%])");
    expect([counted(1, "seed"), counted(5, "seed")]).toEqual(["1 seed", "5 seeds"]);
    expect([1e3, 3e5, 8e7, 3e8].map((t) => ago(0, t))).toEqual([
      "just now",
      "5 min ago",
      "22 h ago",
      "3 d ago",
    ]);
  });

  it("wraps at spaces", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  });
});

describe("tables in a narrow terminal", () => {
  const heading = ["name", "n", "what it does"];
  const rows = [
    ["one", "1", "something that takes a whole line of a screen"],
    ["two", "22", "little"],
  ];
  it("wrap the last column", () => {
    const lines = table(heading, rows, { width: 40, right: [1] });
    expect(lines).toEqual([
      "name   n  what it does",
      "one    1  something that takes a whole",
      "          line of a screen",
      "two   22  little",
    ]);
    expect(table(heading, rows)).toHaveLength(3);
  });
  it("drop spare columns if the last would be narrow", () => {
    expect(table(heading, rows, { width: 46, spare: [1, 0] })[0]).toBe("name  what it does");
    expect(table(heading, rows, { width: 51, spare: [1, 0] })[0]).toBe("name  n   what it does");
  });
});

describe("ink", () => {
  it("has no width", () => {
    const ink = inkFor(24);
    expect(ink.color(0, "x")).toBe("\x1b[38;2;86;160;233mx\x1b[0m");
    expect(inkFor(8).color(1, "x")).toBe("\x1b[38;5;208mx\x1b[0m");
    expect(inkFor(1).bold("x")).toBe("x");
    expect(widthOf(ink.bold("four"))).toBe(4);
    expect(pad(ink.dim("ab"), 4)).toBe("\x1b[2mab\x1b[0m  ");
  });
});

describe("drawings", () => {
  it("sets dots in characters of 2 × 4", () => {
    const canvas = new Braille(2, 1);
    canvas.line(0, 3, 3, 0);
    expect(canvas.toLines(plainInk)).toEqual(["⡠⠊"]);
    canvas.dot(-1, 99);
  });

  it("plots lines with labels, an axis and names", () => {
    const lines = plot([rising, falling], { width: 40, height: 12, ink: plainInk, goal: 90 });
    expect(lines.length).toBe(12);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(40);
    const text = lines.join("\n");
    for (const part of ["┤", "└", "100 steps", "━━ rising", "━━ falling", " 90 ┤"])
      expect(text).toContain(part);
  });

  it("plots a single point", () => {
    const lines = plot([{ name: "a", x: [], y: [] }], { width: 30, height: 6, ink: plainInk, until: 1000 });
    expect(lines.at(-1)).toContain("1k steps");
  });

  it("chooses round numbers", () => {
    expect(ticks(0, 500, 5)).toEqual([0, 100, 200, 300, 400, 500]);
    expect(ticks(-1, 1, 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(ticks(3, 3, 4)).toEqual([3]);
  });

  it("draws SVG images", () => {
    const text = svg([{ ...rising, name: "a < b" }, falling], { title: "return & more", goal: 90 });
    expect(text).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(text).toContain("a &lt; b");
    expect(text).toContain("return &amp; more");
    expect(text.match(/<polyline/g)?.length).toBe(2);
    expect(text).not.toContain("NaN");
  });

  it("draws bars and small curves", () => {
    expect(bar(0.5, 4, plainInk)).toBe("██░░");
    expect(bar(0.375, 4, plainInk)).toBe("█▌░░");
    expect(resample([1, 3, 5, 7], 2)).toEqual([2, 6]);
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8)).toBe("▁▂▃▄▅▆▇█");
    expect(sparkline([], 8)).toBe("");
    expect(histogram([0, 0, 1], plainInk, 2, 4)).toEqual(["0 to 0.5  ████ 2", "0.5 to 1  ██░░ 1"]);
    // More values than the limit of call arguments.
    expect(histogram(new Float64Array(200_000).fill(1, 100_000), plainInk, 2, 4)[0]).toContain("100000");
  });

  it("aligns columns", () => {
    expect(
      table(
        ["a", "n"],
        [
          ["xx", "1"],
          ["y", "100"],
        ],
        { right: [1] },
      ),
    ).toEqual(["a     n", "xx    1", "y   100"]);
    expect(markdownTable(["a", "b"], [["1", "2"]])).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
  });

  it("keeps a few hundred points of any curve", () => {
    const history = new History(100);
    for (let i = 0; i < 100_000; i++) history.add(i, i);
    const { x, y } = history.series("course");
    expect(x.length).toBeLessThan(100);
    expect(x.length).toBeGreaterThan(40);
    expect(y[y.length - 1]).toBeGreaterThan(95_000);
  });
});

it("smoothing averages the last points and skips gaps", () => {
  const series = { name: "a", x: [1, 2, 3, 4], y: [1, Number.NaN, 3, 5] };
  expect(smoothed(series, 2)).toEqual({ name: "a", x: [1, 3, 4], y: [1, 2, 4] });
  expect(svg([series], { title: "t", smooth: 2 }).match(/<polyline/g)?.length).toBe(2);
});
