import { type AlgorithmMaker, fail, type Option } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import { checkUsualRange, usualRange } from "@reins/core/settings";

/** Scale of a range: linear, logarithmic, or logarithmic in 1 - x (discount factors). */
export type Scale = "linear" | "log" | "towards-one";

/** A dimension of the search space: a range or a list of choices. */
export type Dimension = {
  readonly name: string;
  /** Whether the option is fixed for a whole run, so that it cannot follow a schedule. */
  readonly fixed?: true;
} & (
  | { readonly low: number; readonly high: number; readonly scale: Scale; readonly whole: boolean }
  | { readonly choices: readonly unknown[] }
);

/** A search space. */
export type Space = readonly Dimension[];

/** Settings of a trial, by name. */
export type Settings = { readonly [name: string]: unknown };

/** Maps a position in [0, 1] to a value. */
export function valueAt(d: Dimension, place: number): unknown {
  if ("choices" in d) return d.choices[Math.min(d.choices.length - 1, Math.floor(place * d.choices.length))];
  const [from, to] = [stretch(d.scale, d.low), stretch(d.scale, d.high)];
  const value = shrink(d.scale, from + place * (to - from));
  // Three digits are precise enough and easy to type.
  const short = Number(value.toPrecision(d.scale === "towards-one" ? 5 : 3));
  return Math.min(d.high, Math.max(d.low, d.whole ? Math.round(value) : short));
}

/** Maps a value to a position in [0, 1]. */
export function placeOf(d: Dimension, value: unknown): number {
  if ("choices" in d) {
    const at = d.choices.findIndex((c) => JSON.stringify(c) === JSON.stringify(value));
    return (Math.max(0, at) + 0.5) / d.choices.length;
  }
  const [from, to] = [stretch(d.scale, d.low), stretch(d.scale, d.high)];
  const place = (stretch(d.scale, value as number) - from) / (to - from);
  return Math.min(1, Math.max(0, place));
}

/** Maps positions to settings. */
export const settingsAt = (space: Space, places: readonly number[]): Settings =>
  Object.fromEntries(space.map((d, i) => [d.name, valueAt(d, places[i])]));

/** Maps settings to positions. */
export const placesOf = (space: Space, settings: Settings): number[] =>
  space.map((d) => placeOf(d, settings[d.name]));

const stretch = (scale: Scale, x: number) =>
  scale === "linear" ? x : scale === "log" ? Math.log(x) : -Math.log(1 - x);
const shrink = (scale: Scale, y: number) =>
  scale === "linear" ? y : scale === "log" ? Math.exp(y) : 1 - Math.exp(-y);

/** A range for an option of an algorithm. */
export function between(maker: AlgorithmMaker, name: string, low: number, high: number): Dimension {
  const option = optionOf(maker, name);
  const source = `tune ${name}`;
  if (!(low < high))
    fail(source, `${low}..${high} is not a valid range: the first number must be smaller than the second.`);
  if (typeof (option.kind === "setting" ? 0 : option.default) !== "number")
    fail(source, `the setting is not a number. Give values separated by |: ${name}=a|b.`);
  for (const end of [low, high])
    if (option.within) checkUsualRange(source, "an end of the range", end, option.within);
  const whole = option.within === "whole" || option.within === "count";
  return { name, ...fixedIf(option), low, high, scale: scaleOf(low, high), whole };
}

/** Choices for an option of an algorithm. */
export function oneOf(maker: AlgorithmMaker, name: string, choices: readonly unknown[]): Dimension {
  const option = optionOf(maker, name);
  if (choices.length < 2) fail(`tune ${name}`, "a single value cannot be searched over. Give at least two.");
  return { name, ...fixedIf(option), choices };
}

const fixedIf = ({ kind }: Option): { readonly fixed?: true } => (kind === "setting" ? {} : { fixed: true });

/** The usual range in the description of an option, if it has one. */
export function usual(maker: AlgorithmMaker, name: string): Dimension | undefined {
  const option = optionOf(maker, name);
  const { default: value, about, choices, kind } = option;
  if (choices) return oneOf(maker, name, choices);
  if (typeof value === "boolean") return oneOf(maker, name, [false, true]);
  const range = usualRange(about);
  if (!range || (kind === "size" && typeof value !== "number")) return undefined;
  return between(maker, name, range.low, range.high);
}

/** All settings (not sizes) with a usual range, except those that have no effect because the option that they need is off. */
export function usualSpace(maker: AlgorithmMaker, given: Settings = {}): Space {
  const { options } = maker.definition;
  const isOn = (name: string) => Boolean(Object.hasOwn(given, name) ? given[name] : options[name].default);
  return Object.entries(options).flatMap(([name, { kind, needs }]) => {
    if (kind !== "setting" || (needs !== undefined && !isOn(needs))) return [];
    const dimension = usual(maker, name);
    return dimension ? [dimension] : [];
  });
}

function optionOf({ definition: { name: algorithm, options } }: AlgorithmMaker, name: string): Option {
  if (Object.hasOwn(options, name)) return options[name];
  return fail(
    "tune",
    `${algorithm} has no setting ${name}.${didYouMean(name, Object.keys(options))} reins train ${algorithm} --help lists them.`,
  );
}

/** Logarithmic if the ends are far apart, towards one if both are close to 1. */
function scaleOf(low: number, high: number): Scale {
  if (low >= 0.5 && high < 1 && (1 - low) / (1 - high) >= 5) return "towards-one";
  return low > 0 && high / low >= 8 ? "log" : "linear";
}
