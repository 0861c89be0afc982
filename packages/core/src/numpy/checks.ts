/** Throws unless the bounds form an interval of finite length. */
export function checkRange(low: number, high: number): void {
  if (high - low >= 0 && high - low < Infinity) return;
  throw new RangeError(
    `uniform(${low}, ${high}): high must not be below low, and high - low must be finite.`,
  );
}

/** Throws if there are no integers between the bounds, or more than a double can distinguish. */
export function checkIntegers(low: number, high: number): void {
  if (Number.isSafeInteger(low) && Number.isSafeInteger(high) && high > low && high - low <= 2 ** 53) return;
  const reason = high <= low ? "the range is empty" : "bounds must be integers, at most 2^53 apart";
  throw new RangeError(`integers(${low}, ${high}): ${reason}. The range includes low and excludes high.`);
}

/** Throws for a negative scale. */
export function checkScale(what: string, scale: number): void {
  if (scale >= 0) return;
  throw new RangeError(`${what} is ${scale}. Use 0 or more.`);
}
