/** Round numbers between two, about as many as are wanted. */
export function ticks(low: number, high: number, wanted: number): number[] {
  if (!(high > low)) return Number.isFinite(low) ? [low] : [];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Rounded, since steps such as 0.1 add up to what is not quite a number of them.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Powers of ten between two positive numbers, or round numbers where those are too few. */
export function logTicks(low: number, high: number, wanted: number): number[] {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (to - from < 1) return ticks(low, high, wanted);
  const every = Math.max(1, Math.ceil((to - from + 1) / wanted));
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => 10 ** (from + i * every));
}
