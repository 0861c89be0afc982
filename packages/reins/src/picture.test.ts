import { describe, expect, it } from "vitest";
import { colorNumber, colorOf, inkFor } from "./ink.ts";
import { picture } from "./picture.ts";

/** Left class 0, right class 1, the last row undecided. */
const square = { size: 4, values: [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0.5, 0.5, 0.5, 0.5] };

describe("picture", () => {
  it("draws a known surface with characters", () => {
    expect(picture(square, [], 2, inkFor(1))).toEqual(["  ██", "░░▓▓"]);
  });

  it("puts marks where their points are", () => {
    const marks = [
      { x: -0.9, y: 0.9, label: 0 },
      { x: 0.9, y: -0.9, label: 1 },
      { x: 3, y: 0, label: 1 },
    ];
    expect(picture(square, marks, 2, inkFor(1))).toEqual(["○ ██", "░░▓●"]);
  });

  it("draws two pixels a character in colour, with codes only where colours change", () => {
    const [blue, orange] = [colorOf(0).join(";"), colorOf(1).join(";")];
    expect(picture(square, [], 2, inkFor(24))[0]).toBe(
      `\x1b[38;2;${blue};48;2;${blue}m▀▀\x1b[38;2;${orange};48;2;${orange}m▀▀\x1b[0m`,
    );
    expect(picture(square, [], 2, inkFor(8))[0]).toBe(
      `\x1b[38;5;${colorNumber(0)};48;5;${colorNumber(0)}m▀▀\x1b[38;5;${colorNumber(1)};48;5;${colorNumber(1)}m▀▀\x1b[0m`,
    );
  });

  it("has a colour for every value", () => {
    for (const v of [-1, 0, 0.3, 0.5, 1, 2])
      expect(colorOf(v).every((c) => Number.isInteger(c) && c >= 0 && c <= 255)).toBe(true);
  });
});
