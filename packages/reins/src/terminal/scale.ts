/** Round numbers within a range, about `count` of them and at least two. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  // A coarse grid may have too few points in the range; the next finer one has more.
  for (let wanted = Math.max(1, count); ; wanted *= 2) {
    const rough = (high - low) / wanted;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * ([1, 2, 5, 10].find((m) => m * unit >= rough) ?? 10);
    const found: number[] = [];
    for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k++)
      found.push(Number((k * step).toPrecision(12)));
    if (found.length >= 2) return found;
  }
}
