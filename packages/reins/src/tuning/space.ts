import { type AlgorithmMaker, checkWithin, didYouMean, fail, type Option, usualRange } from "@reins/core";

/** How far apart numbers are: by difference, by ratio, or by the ratio of what they lack of 1 (discounts). */
export type Scale = "linear" | "log" | "towards-one";

/** A setting that is searched over: numbers between two, or one of some values. */
export type Dimension =
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      readonly scale: Scale;
      readonly whole: boolean;
    }
  | { readonly name: string; readonly choices: readonly unknown[] };

/** What is searched over. */
export type Space = readonly Dimension[];

/** Settings of a trial, by name. */
export type Settings = { readonly [name: string]: unknown };

/** The value at a place from 0 to 1. */
export function valueAt(d: Dimension, place: number): unknown {
  if ("choices" in d) return d.choices[Math.min(d.choices.length - 1, Math.floor(place * d.choices.length))];
  const [from, to] = [stretch(d.scale, d.low), stretch(d.scale, d.high)];
  const value = shrink(d.scale, from + place * (to - from));
  // Three figures say all that a search can know, and can be typed.
  const short = Number(value.toPrecision(d.scale === "towards-one" ? 5 : 3));
  return Math.min(d.high, Math.max(d.low, d.whole ? Math.round(value) : short));
}

/** The place of a value, from 0 to 1. */
export function placeOf(d: Dimension, value: unknown): number {
  if ("choices" in d) {
    const at = d.choices.findIndex((c) => JSON.stringify(c) === JSON.stringify(value));
    return (Math.max(0, at) + 0.5) / d.choices.length;
  }
  const [from, to] = [stretch(d.scale, d.low), stretch(d.scale, d.high)];
  const place = (stretch(d.scale, value as number) - from) / (to - from);
  return Math.min(1, Math.max(0, place));
}

/** Settings at places, one for each dimension. */
export const settingsAt = (space: Space, places: readonly number[]): Settings =>
  Object.fromEntries(space.map((d, i) => [d.name, valueAt(d, places[i])]));

/** And back. */
export const placesOf = (space: Space, settings: Settings): number[] =>
  space.map((d) => placeOf(d, settings[d.name]));

const stretch = (scale: Scale, x: number) =>
  scale === "linear" ? x : scale === "log" ? Math.log(x) : -Math.log(1 - x);
const shrink = (scale: Scale, y: number) =>
  scale === "linear" ? y : scale === "log" ? Math.exp(y) : 1 - Math.exp(-y);

/** Numbers between two for an option of an algorithm. */
export function between(maker: AlgorithmMaker, name: string, low: number, high: number): Dimension {
  const option = optionOf(maker, name);
  const who = `tune ${name}`;
  if (!(low < high)) fail(who, `${low}..${high} is no range: the first number must be the smaller one.`);
  if (typeof (option.kind === "setting" ? 0 : option.default) !== "number")
    fail(who, `it is no number. Give values with | between them: ${name}=a|b.`);
  for (const end of [low, high])
    if (option.within) checkWithin(who, "an end of the range", end, option.within);
  const whole = option.within === "whole" || option.within === "count";
  return { name, low, high, scale: scaleOf(low, high), whole };
}

/** Some values for an option of an algorithm. */
export function oneOf(maker: AlgorithmMaker, name: string, choices: readonly unknown[]): Dimension {
  optionOf(maker, name);
  if (choices.length < 2) fail(`tune ${name}`, "one value is nothing to search over. Give two at least.");
  return { name, choices };
}

/** The range that the option's own words call usual. Undefined where they do not. */
export function usual(maker: AlgorithmMaker, name: string): Dimension | undefined {
  const option = optionOf(maker, name);
  const { default: value, about, choices, kind } = option;
  if (choices) return { name, choices };
  if (typeof value === "boolean") return { name, choices: [false, true] };
  const found = usualRange(about);
  if (!found || (kind === "size" && typeof value !== "number")) return undefined;
  return between(maker, name, found.low, found.high);
}

/** All settings (not sizes) with a usual range. */
export const usualSpace = (maker: AlgorithmMaker): Space =>
  Object.entries(maker.definition.options).flatMap(([name, { kind }]) => {
    const dimension = kind === "setting" ? usual(maker, name) : undefined;
    return dimension ? [dimension] : [];
  });

function optionOf({ definition: { name: algorithm, options } }: AlgorithmMaker, name: string): Option {
  if (Object.hasOwn(options, name)) return options[name];
  return fail(
    "tune",
    `${algorithm} has no setting ${name}.${didYouMean(name, Object.keys(options))} reins train ${algorithm} --help lists them.`,
  );
}

/** By ratio where the ends are far apart, by what is lacking of 1 where both are near it. */
function scaleOf(low: number, high: number): Scale {
  if (low >= 0.5 && high < 1 && (1 - low) / (1 - high) >= 5) return "towards-one";
  return low > 0 && high / low >= 8 ? "log" : "linear";
}
