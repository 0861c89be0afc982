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

/** The median with an interval between two order statistics that covers it with at least 95%, where there are enough samples. */
export function medianInterval(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const n = sorted.length;
  // Probability that at most `below` of n samples lie below the median.
  let tail = 0.5 ** n;
  let term = tail;
  let below = 0;
  while (tail + (term * (n - below)) / (below + 1) <= 0.025) {
    term *= (n - below) / (below + 1);
    tail += term;
    below++;
  }
  return { median: summary(sorted).median, low: sorted[below], high: sorted[n - 1 - below] };
}
