/** The median and the quartiles around it. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function summary(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (q: number) => {
    const position = (sorted.length - 1) * q;
    const i = Math.floor(position);
    return sorted[i] + (sorted[Math.min(i + 1, sorted.length - 1)] - sorted[i]) * (position - i);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
