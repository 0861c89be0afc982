/** A set of code points: pairs of first and last, in order, none touching the next. Surrogates are in no set, as no UTF-8 spells them. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** Every code point that a text can have. */
export const everything: Ranges = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** All points that are in one of the pairs, which may come in any order and overlap. */
export function union(pairs: Iterable<readonly [number, number]>): Ranges {
  const joined: [number, number][] = [];
  for (const [first, last] of [...pairs].sort((a, b) => a[0] - b[0])) {
    const before = joined[joined.length - 1];
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return intersection(joined, everything);
}

/** The points that are in both sets. */
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

/** The points that are not in the set. */
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

/** The points of the characters of a text. */
export const pointsOf = (text: string): Ranges =>
  union([...text].map((c) => [c.codePointAt(0)!, c.codePointAt(0)!] as const));
