import { fail } from "./errors.ts";

/** Which numbers an option takes. */
interface Range {
  /** In words, following "it must be". */
  readonly words: string;
  readonly least: number;
  readonly most?: number;
  /** Excludes the lower bound itself. */
  readonly above?: boolean;
  readonly whole?: boolean;
}

/** The ranges of options, by name. */
export const ranges = {
  any: { words: "a number", least: Number.NEGATIVE_INFINITY },
  nonnegative: { words: "a number of at least 0", least: 0 },
  positive: { words: "a number above 0", least: 0, above: true },
  share: { words: "a number from 0 to 1", least: 0, most: 1 },
  whole: { words: "a whole number from 0", least: 0, whole: true },
  count: { words: "a whole number from 1", least: 1, whole: true },
} as const satisfies { readonly [name: string]: Range };

/** The name of a range. */
export type RangeName = keyof typeof ranges;

/** Upper limit of counts; most of them determine memory. */
const largest = 1e8;

/** Whether a number lies in a range. */
export function isWithin(range: RangeName, value: number): boolean {
  const { least, most = Number.POSITIVE_INFINITY, above, whole }: Range = ranges[range];
  const inside = above ? value > least : value >= least;
  return inside && value <= most && (!whole || Number.isInteger(value));
}

/** The usual range in an option's description. */
export interface UsualRange {
  readonly low: number;
  readonly high: number;
}

/** Parses the usual range from an option's description: the first "(low to high" in it. */
export function usualRange(about: string): UsualRange | undefined {
  const number = String.raw`(-?[\d.]+(?:e-?\d+)?)`;
  const found = new RegExp(String.raw`\(${number} to ${number}(?=[);, ])`).exec(about);
  return found ? { low: Number(found[1]), high: Number(found[2]) } : undefined;
}

/** The nearest number in a range. "Above 0" becomes a small number that is positive in single precision too. */
export function clampInto(range: RangeName, value: number): number {
  const { least, most = Number.POSITIVE_INFINITY, above, whole }: Range = ranges[range];
  const rounded = whole ? Math.round(value) : value;
  return Math.min(most, Math.max(above ? 1e-30 : least, rounded));
}

/** Throws unless a value is a number in a range. `usual` is an example value for the message. */
export function checkUsualRange(
  subject: string,
  what: string,
  value: unknown,
  range: RangeName,
  usual?: unknown,
): void {
  const { words, whole }: Range = ranges[range];
  const example = typeof usual === "number" ? `, such as ${usual}` : "";
  if (typeof value !== "number" || !isWithin(range, value))
    fail(
      subject,
      `${what} is ${typeof value === "number" ? value : JSON.stringify(value)}; it must be ${words}${example}.`,
    );
  if (whole && value > largest)
    fail(
      subject,
      `${what} is ${value}; the maximum is ${largest}, because larger values exhaust memory. Use a smaller one.`,
    );
}
