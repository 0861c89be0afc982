import { misuse } from "./usage.ts";

/** Powers of ten by their letter. */
const units: { readonly [letter: string]: number } = { "": 0, k: 3, M: 6, G: 9 };

/** A number as people type it, wherever one is typed: 100000, 100_000, 1e5, 100k, 0.5M, -2, Infinity; undefined if it is none. */
export function parseNumber(text: string): number | undefined {
  if (/^[+-]?(Infinity|∞)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const [, digits, power = "0", unit = ""] =
    /^([+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*))(?:[eE]([+-]?\d+))?([kMG]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // One number with its exponent, and no product, which would be rounded.
  return Number(`${digits.replaceAll("_", "")}e${Number(power) + units[unit]}`);
}

/** A whole number as people type it. */
export function readWhole(text: string, flag: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const n = parseNumber(text) ?? Number.NaN;
  if (n > most) misuse(`${flag} ${text} is too large. It may be ${most} at most.`);
  if (Number.isInteger(n) && n >= least) return n;
  return misuse(
    `${flag} takes a whole number from ${least} on, but got "${text}". As in ${flag} ${Math.max(least, 10)}.`,
  );
}

/** Any number as people type it. */
export const readNumber = (text: string, flag: string): number =>
  parseNumber(text) ?? misuse(`${flag} takes a number, but got "${text}". As in ${flag} 10.`);
