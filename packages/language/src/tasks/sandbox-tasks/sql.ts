import { defaultRng } from "@reins/core/random";
import type { Cell, Table } from "../../sandboxes/query.ts";
import { sql as sandbox } from "../../sandboxes/sql.ts";
import { stripped, verdict } from "../answers.ts";
import { between, many } from "../random.ts";
import { textTask } from "../text-task.ts";
import type { Question } from "./sql-question.ts";
import { questions } from "./sql-questions.ts";

/** Offset from the number of a comparison at which a value just passes. */
const passing: { readonly [op: string]: number } = { "<": -1, "<=": 0, "=": 0, ">=": 0, ">": 1 };

/**
 * A database for the tables. Rows differ with the seed; a quarter of them pass all conditions and a quarter are at
 * their limits, so that a wrong condition selects other rows and a right one always some. The range of the other
 * values grows with the number of rows, so that minimum and maximum differ between databases. With many tables,
 * shared columns have enough values that joins stay small and yet drop some rows and repeat others.
 */
export function database(
  { tables, query, order }: Omit<Question, "words">,
  seed: number,
  rows: number,
): string {
  const r = defaultRng([seed, rows]);
  const spread = rows % 5;
  const tests = [...query.matchAll(/\b([a-m])(<=|>=|=|<|>)(\d+)/g)];
  const all = Object.values(tables).flat();
  const joins = new Set(Object.keys(tables).length > 2 ? all.filter((c, i) => all.indexOf(c) < i) : []);
  return Object.entries(tables)
    .map(([name, columns]) => {
      const ranks = r.permutation(rows);
      const one = (column: string, i: number) => {
        const test = tests.find((t) => t[1] === column);
        if (joins.has(column)) return r.integers(Math.ceil(0.7 * rows));
        if (column === order) return ranks[i] - 3;
        if (test && i % 4 === 0) return +test[3] + passing[test[2]];
        if (test && i % 4 === 1) return +test[3] + between(r, -1, 1);
        return between(r, -spread, 10 + spread);
      };
      const lines = many(rows, (i) => `(${columns.map((c) => one(c, i)).join(",")})`);
      return `create table ${name}(${columns.join(",")});insert into ${name} values${lines.join(",")};`;
    })
    .join("");
}

/** A canonical cell: the same for the same number, however it was computed. */
const cell = (v: Cell) => (typeof v === "number" ? `${+v.toPrecision(9)}` : JSON.stringify(v));

/** The same rows, in the same order where the question has one. */
export function sameRows(a: Table, b: Table, ordered: boolean): boolean {
  const lines = ({ rows }: Table) => {
    const list = rows.map((row) => row.map(cell).join());
    return (ordered ? list : list.sort()).join(";");
  };
  return a.columns.length === b.columns.length && lines(a) === lines(b);
}

// Five times the steps of the longest reference, including its database.
const engine = sandbox({ characters: 5000, steps: 1_000_000 });
/** Rows of the test databases. Different counts, so that a constant that is right in one is wrong in others. */
const sizes = [30, 21, 44];
/** Results of reference queries: the same problem is often answered many times in a row. */
const found = new Map<string, ReturnType<typeof engine.run>>();
function expected(on: string, query: string): ReturnType<typeof engine.run> {
  const key = `${query}\n${on}`;
  let right = found.get(key);
  if (!right) {
    if (found.size >= 128) found.clear();
    found.set(key, (right = engine.run({ database: on, query })));
  }
  return right;
}

/** Longer queries are noise. */
const longest = 500;

/** Queries over tables that the model does not see. Any query with the right rows on three databases is right. */
export const sql = textTask<Question & { seed: number }>({
  id: "sql",
  about:
    "Write SQL for the query after the colon: columns, 'if' a condition, 'per' group, 'on' the column that joins two tables, 'by' an order. Without 'on', join as few tables as possible on their shared columns.",
  levels: questions.length,
  alphabet: "0123456789abcdefghijklmnopqrstuvwxyz(),.:<>= *",
  longest: { prompt: 75, answer: 130 },
  make(r, level) {
    const question = questions[level - 1](r);
    const tables = Object.entries(question.tables).map(([name, columns]) => `${name}(${columns.join(",")})`);
    return {
      prompt: `${tables.join(" ")}:${question.words}=`,
      answer: question.query,
      data: { ...question, seed: r.integers(1e6) },
    };
  },
  async verify({ data }, answer) {
    const query = stripped(answer);
    if (query.length > longest) return verdict(false, false, "It is too long.");
    for (const rows of sizes) {
      const on = database(data, data.seed, rows);
      const said = await engine.run({ database: on, query });
      if (said.status !== "ok")
        return verdict(
          false,
          said.status !== "refused" && !/syntax/.test(said.message ?? ""),
          said.message ?? "",
        );
      const right = await expected(on, data.query);
      if (!sameRows(said.value!, right.value!, data.order !== undefined))
        return verdict(false, true, "It returns other rows.");
    }
    return verdict(true, true, "");
  },
  nearMisses({ prompt, answer, data: { tables } }) {
    const t = Object.keys(tables)[0];
    const [, rest] = prompt.split(":");
    return [
      rest,
      `select * from ${t}`,
      "select 0",
      `${answer} limit 0`,
      `${answer} union all ${answer}`,
      `${answer};drop table ${t}`,
      `explain ${answer}`,
      "",
    ];
  },
});
