/** An error that a user can act on: it says what was expected, what came, and what to do. */
export class ReinsError extends Error {
  override name = "ReinsError";
}

/** Something on a disk that is not as it was written. An earlier checkpoint may still be whole. */
export class Damaged extends ReinsError {}

/** Throws a {@link ReinsError}: what was being done, then what went wrong and the way out. */
export function fail(what: string, message: string): never {
  throw new ReinsError(`${what}: ${message}`);
}

/** The names nearest to a mistyped one, best first; none if nothing is near. */
export function nearest(name: string, names: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase();
  const scored = [...names].map((n) => ({ n, d: distance(wanted, n.toLowerCase()) }));
  const limit = Math.max(2, Math.floor(name.length / 2));
  return scored
    .filter(
      ({ n, d }) => d <= limit || n.toLowerCase().startsWith(wanted) || wanted.startsWith(n.toLowerCase()),
    )
    .sort((a, b) => a.d - b.d)
    .slice(0, most)
    .map(({ n }) => n);
}

/** " Did you mean X or Y?", or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const near = nearest(name, names);
  return near.length ? ` Did you mean ${near.join(" or ")}?` : "";
}

/** Letters to insert, remove, replace or swap to turn `a` into `b` (Damerau and Levenshtein). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) rows[0][j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.length][b.length];
}
