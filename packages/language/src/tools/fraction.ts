/** A fraction in lowest terms with a positive denominator. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** The greatest common divisor; of 0 and 0 it is 0. */
export function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** The fraction n/d. The denominator must not be 0. */
export function fraction(n: bigint | number, d: bigint | number = 1n): Fraction {
  const [top, bottom] = [BigInt(n), BigInt(d)];
  const by = bottom < 0n ? -gcd(top, bottom) : gcd(top, bottom);
  return { n: top / by, d: bottom / by };
}

/** The result of one of + - * /; undefined after a division by zero. */
export function combine(op: string, a: Fraction, b: Fraction): Fraction | undefined {
  if (op === "+") return fraction(a.n * b.d + b.n * a.d, a.d * b.d);
  if (op === "-") return fraction(a.n * b.d - b.n * a.d, a.d * b.d);
  if (op === "*") return fraction(a.n * b.n, a.d * b.d);
  return b.n === 0n ? undefined : fraction(a.n * b.d, a.d * b.n);
}

export const equal = (a: Fraction, b: Fraction): boolean => a.n === b.n && a.d === b.d;

/** The text of a fraction: `-3/4`, and `5` for an integer. */
export const written = ({ n, d }: Fraction): string => (d === 1n ? `${n}` : `${n}/${d}`);

/**
 * The value of `-3`, `3/4` or `0.75`; undefined for other texts, for a denominator of 0, and for more than 40
 * characters, which no answer needs and which would take more than linear time.
 */
export function parsed(text: string): Fraction | undefined {
  if (text.length > 40) return undefined;
  const match = /^(-?[0-9]+)(?:\/([0-9]+)|\.([0-9]+))?$/.exec(text);
  if (!match) return undefined;
  const [, top, bottom, decimals] = match;
  if (decimals !== undefined) return fraction(BigInt(top + decimals), 10n ** BigInt(decimals.length));
  const d = BigInt(bottom ?? 1);
  return d === 0n ? undefined : fraction(BigInt(top), d);
}
