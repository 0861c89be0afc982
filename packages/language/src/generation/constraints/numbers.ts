import { either, empty, nothing, optional, repeat, sequence, set, type Tree, text } from "./tree.ts";

/** Fraction digits that suffice for the shortest form of any double from 1e-6 up. */
const places = 22;
/** Integer digits; JavaScript writes larger numbers with an exponent. */
const wholes = 21;

const digit = (from: number, to: number): Tree => set([[0x30 + from, 0x30 + to]]);
const anyDigit = digit(0, 9);

/** A closed interval; a missing end is unbounded. */
export interface Interval {
  readonly low?: number;
  readonly high?: number;
}

/** Integers in plain digits. Without bounds, they are limited to the safe integers of a double. */
export function integers({ low = -Number.MAX_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER }: Interval): Tree {
  return signed(scaled(low, 0, true), scaled(high, 0, false), 0);
}

/** Numbers with at most 21 integer and 22 fraction digits; without bounds also with exponents, below 1e308. */
export function decimals({ low, high }: Interval): Tree {
  const most = 10n ** BigInt(wholes + places) - 1n;
  const from = low === undefined ? -most : scaled(low, places, true);
  const to = high === undefined ? most : scaled(high, places, false);
  const plain = signed(from < -most ? -most : from, to > most ? most : to, places);
  if (low !== undefined || high !== undefined) return plain;
  const power = either(
    sequence(optional(text("+")), magnitudes(0n, 307n, 0)),
    sequence(text("-"), magnitudes(1n, 324n, 0)),
  );
  const fraction = optional(sequence(text("."), repeat(anyDigit, 1, places)));
  return either(plain, sequence(optional(text("-")), anyDigit, fraction, text("e"), power));
}

/** The next double above or below. */
export function beside(x: number, above: boolean): number {
  if (x === 0) return above ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 === above ? 1n : -1n));
  return view.getFloat64(0);
}

/**
 * The shortest decimal of a number times 10^places, rounded into the interval that it bounds. Parsing decimals is
 * monotonic, so decimals between those of two doubles parse to values between the doubles.
 */
function scaled(x: number, places: number, up: boolean): bigint {
  const [mantissa, exponent] = x.toExponential().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const digits = BigInt(whole + fraction);
  const shift = places + Number(exponent) - fraction.length;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const by = 10n ** BigInt(-shift);
  const down = digits / by - (digits % by < 0n ? 1n : 0n);
  return up && digits % by !== 0n ? down + 1n : down;
}

function signed(low: bigint, high: bigint, places: number): Tree {
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  // Integers have no -0.
  const least = places === 0 ? 1n : 0n;
  return either(
    high >= 0n ? magnitudes(larger(low, 0n), high, places) : nothing,
    low < 0n ? sequence(text("-"), magnitudes(larger(-high, least), -low, places)) : nothing,
  );
}

/** Unsigned numbers from `low` to `high`, both times 10^places: each length separately, as none begins with 0. */
function magnitudes(low: bigint, high: bigint, places: number): Tree {
  const options: Tree[] = [];
  for (let whole = 1; 10n ** BigInt(places + whole - 1) <= high || whole === 1; whole++) {
    const length = whole + places;
    const first = whole === 1 ? 0n : 10n ** BigInt(length - 1);
    const last = 10n ** BigInt(length) - 1n;
    const [from, to] = [low > first ? low : first, high < last ? high : last];
    const spell = (n: bigint) => String(n).padStart(length, "0");
    if (from <= to) options.push(digits(spell(from), spell(to), length, places));
  }
  return either(...options);
}

const freeDigits = new Map<string, Tree>();

/** `length` digits from `low` to `high`, the last `places` after a point; trailing zeros may be omitted there. */
function digits(low: string | undefined, high: string | undefined, length: number, places: number): Tree {
  if (length === 0) return empty;
  if (low && /^0*$/.test(low)) low = undefined;
  if (high && /^9*$/.test(high)) high = undefined;
  const key = `${length} ${places}`;
  const free = low === undefined && high === undefined;
  const known = freeDigits.get(key);
  if (free && known) return known;
  const rest = (a?: string, b?: string) => digits(a?.slice(1), b?.slice(1), length - 1, places);
  const [from, to] = [Number(low?.[0] ?? 0), Number(high?.[0] ?? 9)];
  const options: Tree[] = [];
  if (low && high && from === to) options.push(sequence(digit(from, from), rest(low, high)));
  else {
    if (low) options.push(sequence(digit(from, from), rest(low)));
    const [a, b] = [low ? from + 1 : 0, high ? to - 1 : 9];
    if (a <= b) options.push(sequence(digit(a, b), rest()));
    if (high) options.push(sequence(digit(to, to), rest(undefined, high)));
  }
  const more = length === places ? sequence(text("."), either(...options)) : either(...options);
  const tree = length <= places && low === undefined ? optional(more) : more;
  if (free) freeDigits.set(key, tree);
  return tree;
}
