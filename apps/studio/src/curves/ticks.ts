/** About `wanted` round numbers in a range. */
export function ticks(low: number, high: number, wanted: number): number[] {
  if (!(high > low)) return Number.isFinite(low) ? [low] : [];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Rounded, since multiples of 0.1 accumulate rounding errors.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Ticks of a logarithmic axis: powers of ten, thinned out over many decades, with 2 and 5 times them over few. Less than a decade has linear ticks. */
export function logTicks(low: number, high: number, wanted: number): number[] {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (to - from < 1) return ticks(low, high, wanted);
  const every = Math.max(1, Math.ceil((to - from + 1) / wanted));
  const powers = Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => from + i * every);
  const steps = 3 * powers.length <= wanted ? [1, 2, 5] : [1];
  return powers
    .flatMap((power) => steps.map((step) => Number((step * 10 ** power).toPrecision(12))))
    .filter((tick) => tick <= high * (1 + 1e-9));
}
