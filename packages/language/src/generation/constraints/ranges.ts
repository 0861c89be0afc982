/**
 * A set of code points: pairs of first and last, sorted and not adjacent. Surrogates are excluded, as UTF-8 cannot
 * encode them.
 */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** All code points of texts. */
export const everything: Ranges = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** The union of pairs, which may overlap and come in any order. */
export function union(pairs: Iterable<readonly [number, number]>): Ranges {
  const joined: [number, number][] = [];
  for (const [first, last] of [...pairs].sort((a, b) => a[0] - b[0])) {
    const before = joined[joined.length - 1];
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return intersection(joined, everything);
}

/** The code points in both sets. */
export function intersection(a: Ranges, b: Ranges): Ranges {
  const common: [number, number][] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const first = Math.max(a[i][0], b[k][0]);
    const last = Math.min(a[i][1], b[k][1]);
    if (first <= last) common.push([first, last]);
    if (a[i][1] < b[k][1]) i++;
    else k++;
  }
  return common;
}

/** The code points outside the set. */
export function complement(set: Ranges): Ranges {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= 0x10ffff) gaps.push([next, 0x10ffff]);
  return intersection(gaps, everything);
}

/** The code points of a text's characters. */
export const pointsOf = (text: string): Ranges =>
  union([...text].map((c) => [c.codePointAt(0)!, c.codePointAt(0)!] as const));
