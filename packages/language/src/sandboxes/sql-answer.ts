import type { BindParams, Database, SqlValue, Statement } from "sql.js";
import type { Cell, Table } from "./query.ts";
import type { SandboxOutcome } from "./sandbox.ts";

/** A thread's reply: an outcome whose message is not shortened yet. */
export type Said = Omit<SandboxOutcome<Table>, "message"> & { readonly message?: unknown };

/** Members of a statement that its types lack. */
interface Exact extends Statement {
  get(params: null, how: { readonly useBigInt: true }): (SqlValue | bigint)[];
  get(params?: BindParams): SqlValue[];
}

/**
 * Runs one query; the result has at most `characters` characters.
 *
 * Threads start from the source text of this function, so it uses only its parameters.
 */
export function answerQuery(database: Database, query: string, characters: number): Said {
  /** A row with exact integers: those that a double may not hold exactly are read again as text. */
  const exact = (statement: Statement, row: SqlValue[]): SqlValue[] => {
    if (!row.some((v) => Number.isInteger(v) && !Number.isSafeInteger(v))) return row;
    const asked = (statement as Exact).get(null, { useBigInt: true });
    return asked.map((v, i) => (typeof v === "bigint" && !Number.isSafeInteger(row[i]) ? `${v}` : row[i]));
  };
  const statements = database.iterateStatements(query);
  const { value: statement, done } = statements.next();
  if (done) return { status: "error", message: "There is no query." };
  // Spaces, semicolons and comments may follow.
  if (!/^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/.test(statements.getRemainingSQL()))
    return { status: "refused", message: "One statement at a time." };
  const rows: Cell[][] = [];
  let left = characters;
  while (statement.step()) {
    const row = exact(statement, statement.get());
    for (const cell of row) left -= 1 + (cell instanceof Uint8Array ? 2 * cell.length : `${cell}`.length);
    if (left < 0) return { status: "memory", message: `The result has more than ${characters} characters.` };
    rows.push(row.map((v) => (v instanceof Uint8Array ? `x'${Buffer.from(v).toString("hex")}'` : v)));
  }
  return { status: "ok", value: { columns: statement.getColumnNames(), rows } };
}
