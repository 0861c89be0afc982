import type { Generator } from "@reins/core/random";
import { between, some, until } from "../random.ts";
import { columnNames, type Question, tableNames, test } from "./sql-question.ts";

/**
 * Columns of tables that form a tree: each shares a column with one of the two before it and has its own column. The
 * model must find out which of them to join.
 */
export function scattered(
  r: Generator,
  size: { readonly tables: number; readonly columns: number; readonly joined: number },
): Question {
  const names = some(r, size.tables, tableNames);
  const [own, links] = ((c) => [c.slice(0, size.tables), c.slice(size.tables)])(
    some(r, 2 * size.tables - 1, columnNames),
  );
  /** The tables that share each link. */
  const pairs = links.map((_, i) => [between(r, Math.max(0, i - 1), i), i + 1] as const);
  const [ends, needed] = until(
    () => {
      const drawn = some(r, size.columns + 1, [...names.keys()]);
      return [drawn, spanned(drawn, pairs)] as const;
    },
    ([, tables]) => tables.size >= size.joined,
  );
  const joined = new Set([ends[0]]);
  const joins: string[] = [];
  while (joined.size < needed.size) {
    const i = pairs.findIndex(([a, b]) => needed.has(a) && needed.has(b) && joined.has(a) !== joined.has(b));
    const next = pairs[i].find((t) => !joined.has(t))!;
    joined.add(next);
    joins.push(` join ${names[next]} using(${links[i]})`);
  }
  const asked = ends.slice(0, -1).map((t) => own[t]);
  const condition = test(r, own[ends[size.columns]]);
  const columns = names.map((name, t) => {
    const shared = links.filter((_, i) => pairs[i].includes(t));
    return [name, r.permutation([own[t], ...shared])] as const;
  });
  return {
    tables: Object.fromEntries(r.permutation(columns)),
    words: `${asked.join(",")} if ${condition}`,
    query: `select ${asked.join(",")} from ${names[ends[0]]}${joins.join("")} where ${condition}`,
  };
}

/** The tables on the paths between the ends: all tables except dead ends. */
function spanned(ends: readonly number[], pairs: readonly (readonly number[])[]): Set<number> {
  const left = new Set(pairs.flat());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const t of left) {
      const ways = pairs.filter((pair) => pair.includes(t) && pair.every((u) => left.has(u)));
      if (ways.length < 2 && !ends.includes(t)) left.delete(t);
    }
  }
  return left;
}
