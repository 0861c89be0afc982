import type { DemoSetting } from "./demo.ts";

/** A slider for a setting. */
export interface Slider {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value at a position. */
  at(position: number): number;
  /** The position of a value. */
  position(value: number): number;
}

/** Settings below 1 that may not exceed it. */
const fractions = ["gamma", "lambda", "tau"];

/**
 * A slider from a tenth to ten times the usual value, on a logarithmic scale. Discount factors and the like move on
 * the scale of their distance from 1; whole numbers stay whole.
 */
export function boundsOf({ name, value }: DemoSetting): Slider {
  if (fractions.includes(name) && value > 0.5)
    return { min: -100, max: 0, step: 1, ...scale((x) => 1 - 0.5 * 10 ** ((-2.7 * (100 + x)) / 100), value) };
  const whole = Number.isInteger(value);
  const scaled = (x: number) => value * 10 ** (x / 50);
  const bound = (x: number) =>
    whole ? Math.max(1, Math.round(scaled(x))) : Math.min(scaled(x), fractions.includes(name) ? 1 : Infinity);
  return { min: -50, max: 50, step: 1, ...scale(bound, value) };
}

/** A scale that returns the usual value itself at the position nearest to it. */
function scale(value: (position: number) => number, usual: number): Pick<Slider, "at" | "position"> {
  const position = (of: number) => {
    let best = -100;
    for (let x = -100; x <= 50; x++) if (Math.abs(value(x) - of) < Math.abs(value(best) - of)) best = x;
    return best;
  };
  const home = position(usual);
  return {
    at: (x) => (x === home ? usual : Number(value(x).toPrecision(2 + Number(usual < 1 && usual > 0.5)))),
    position,
  };
}

/** A number in few digits. */
export const showNumber = (x: number): string =>
  x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(1) : String(Number(x.toPrecision(4)));
