import type { Generator } from "@reins/core/random";
import { between, some } from "../random.ts";
import { columnNames, type Question, tableNames, test } from "./sql-question.ts";
import { scattered } from "./sql-tree.ts";

const aggregates = ["sum", "max", "min", "count", "avg"];
const call = (r: Generator, column: string) => `${r.choice(aggregates)}(${column})`;

/** One table of three columns. */
function single(
  r: Generator,
  ask: (t: string, a: string, b: string, c: string) => Omit<Question, "tables">,
): Question {
  const t = r.choice(tableNames);
  const columns = some(r, 3, columnNames);
  const [a, b, c] = random(r, columns);
  return { tables: { [t]: columns }, ...ask(t, a, b, c) };
}

/** Two tables that share the column `b`. */
function double(
  r: Generator,
  ask: (t: string, u: string, a: string, b: string, c: string, d: string) => Omit<Question, "tables">,
): Question {
  const [t, u] = some(r, 2, tableNames);
  const [a, b, c, d] = some(r, 4, columnNames);
  return { tables: { [t]: random(r, [a, b, d]), [u]: random(r, [b, c]) }, ...ask(t, u, a, b, c, d) };
}

const random = <T>(r: Generator, items: readonly T[]): T[] => r.permutation(items);

/** Comparisons with an aggregate of all rows that some rows pass and others do not. */
const extremes = ["avg <", "avg >", "max <", "max >=", "min >", "min <="].map((pair) => pair.split(" "));

/** The questions of each level. */
export const questions: readonly ((r: Generator) => Question)[] = [
  (r) => single(r, (t, a) => ({ words: a, query: `select ${a} from ${t}` })),
  (r) =>
    single(r, (t, a, b, c) =>
      ((w) => ({ words: `${a},${b} if ${w}`, query: `select ${a},${b} from ${t} where ${w}` }))(test(r, c)),
    ),
  (r) =>
    single(r, (t, a, b) =>
      ((f, w) => ({ words: `${f} if ${w}`, query: `select ${f} from ${t} where ${w}` }))(
        call(r, a),
        test(r, b),
      ),
    ),
  (r) =>
    single(r, (t, a, b, c) =>
      ((word, w, v) => ({
        words: `${a} if ${w} ${word} ${v}`,
        query: `select ${a} from ${t} where ${w} ${word} ${v}`,
      }))(r.choice(["and", "or"]), test(r, b), test(r, c)),
    ),
  (r) =>
    single(r, (t, a, b, c) =>
      ((down, n, w) => ({
        words: `first ${n} ${a} by ${b}${down ? " down" : ""} if ${w}`,
        query: `select ${a} from ${t} where ${w} order by ${b}${down ? " desc" : ""} limit ${n}`,
        order: b,
      }))(r.random() < 0.5, between(r, 1, 4), test(r, c)),
    ),
  (r) =>
    single(r, (t, a, b, c) =>
      ((f, w) => ({
        words: `${b},${f} per ${b} if ${w}`,
        query: `select ${b},${f} from ${t} where ${w} group by ${b}`,
      }))(call(r, a), test(r, c)),
    ),
  (r) =>
    double(r, (t, u, a, b, c, d) =>
      ((f, w) => ({
        words: `${c},${f} per ${c} on ${b} if ${w}`,
        query: `select ${c},${f} from ${t} join ${u} using(${b}) where ${w} group by ${c}`,
      }))(call(r, a), test(r, d)),
    ),
  (r) =>
    single(r, (t, a, b, c) =>
      (([f, op], w) => ({
        words: `${a} if ${b}${op}${f}(${b}) of ${w}`,
        query: `select ${a} from ${t} where ${b}${op}(select ${f}(${b}) from ${t} where ${w})`,
      }))(r.choice(extremes), test(r, c)),
    ),
  (r) => scattered(r, { tables: 4, columns: 1, joined: 3 }),
  (r) => scattered(r, { tables: 7, columns: 2, joined: 5 }),
];
