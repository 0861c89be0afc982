import { usageError } from "./usage.ts";

/** Powers of ten by their letter. */
const units: { readonly [letter: string]: number } = { "": 0, k: 3, M: 6, G: 9 };

/** Parses a number: 100000, 100_000, 1e5, 100k, 0.5M, -2, Infinity; undefined for other text. */
export function parseNumber(text: string): number | undefined {
  if (/^[+-]?(Infinity|∞)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const [, digits, power = "0", unit = ""] =
    /^([+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*))(?:[eE]([+-]?\d+))?([kMG]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // Parsed with its exponent at once: a product would be rounded.
  return Number(`${digits.replaceAll("_", "")}e${Number(power) + units[unit]}`);
}

/** Parses a whole number within bounds. */
export function readWhole(text: string, flag: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const n = parseNumber(text) ?? Number.NaN;
  if (n > most) usageError(`${flag} ${text} is too large. The maximum is ${most}.`);
  if (Number.isInteger(n) && n >= least) return n;
  return usageError(
    `${flag} takes a whole number of at least ${least}, not "${text}". Example: ${flag} ${Math.max(least, 10)}.`,
  );
}

/** Parses any number. */
export const readNumber = (text: string, flag: string): number =>
  parseNumber(text) ?? usageError(`${flag} takes a number, not "${text}". Example: ${flag} 10.`);
