import { type CascadingMdp, type ItemList, listValue } from "./mdp.ts";

/** Inputs of a list oracle. */
export interface ListQuery {
  /** Click probability of each item when examined. */
  readonly attraction: ArrayLike<number>;
  /** Value of a click on each item. */
  readonly worth: ArrayLike<number>;
  /** Value of no click. */
  readonly none: number;
  /** Maximum length of a list; the minimum is one. */
  readonly longest: number;
}

/** Inputs of a list oracle where `worth` ends with the value of no click. */
export const listQuery = (
  { items, longest }: CascadingMdp,
  attraction: Float64Array,
  worth: Float64Array,
): ListQuery => ({ attraction, worth: worth.subarray(0, items), none: worth[items], longest });

/** A list, its value, and the number of candidates compared. */
export interface ListResult {
  readonly list: ItemList;
  readonly value: number;
  readonly compared: number;
}

/**
 * The optimal list without enumerating lists: BestPerm of Du, Srikant and Chen (2024). A set of items is best
 * shown in order of decreasing value, and items with a lower value than no click only block others. So the list is
 * found from the back: the best of the items from i on with k places left either skips i or shows it first.
 */
export function bestPerm({ attraction, worth, none, longest }: ListQuery): ListResult {
  const items = Array.from({ length: worth.length }, (_, i) => i).sort(
    (a, b) => worth[b] - worth[a] || a - b,
  );
  const useful = items.filter((i) => worth[i] > none);
  if (useful.length === 0)
    return bestOf(
      items.map((i) => [i]),
      { attraction, worth, none, longest },
    );
  const n = useful.length;
  const best = Array.from({ length: n + 1 }, () => new Float64Array(longest + 1).fill(none));
  for (let i = n - 1; i >= 0; i--) {
    const q = attraction[useful[i]];
    for (let k = 1; k <= longest; k++)
      best[i][k] = Math.max(best[i + 1][k], q * worth[useful[i]] + (1 - q) * best[i + 1][k - 1]);
  }
  const list: number[] = [];
  for (let i = 0, k = longest; i < n && k > 0; i++)
    if (best[i][k] > best[i + 1][k] || (i === n - 1 && list.length === 0)) {
      list.push(useful[i]);
      k--;
    }
  return { list, value: best[0][longest], compared: n * longest };
}

/** The best of these lists; the first of equals. */
export function bestOf(lists: readonly ItemList[], { attraction, worth, none }: ListQuery): ListResult {
  let found: ListResult = { list: [], value: Number.NEGATIVE_INFINITY, compared: lists.length };
  for (const list of lists) {
    const value = listValue(list, attraction, worth, none);
    if (value > found.value) found = { ...found, list, value };
  }
  return found;
}

/** All lists of one to `longest` different items. */
export function allLists(items: number, longest: number): ItemList[] {
  let ends: ItemList[] = [[]];
  const lists: ItemList[] = [];
  for (let size = 1; size <= longest; size++) {
    ends = ends.flatMap((list) =>
      Array.from({ length: items }, (_, i) => i)
        .filter((i) => !list.includes(i))
        .map((i) => [...list, i]),
    );
    for (const list of ends) lists.push(list);
  }
  return lists;
}
