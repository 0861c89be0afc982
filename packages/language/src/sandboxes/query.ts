/** A question to a database. */
export interface Query {
  /** Statements that make the database; theirs are the tables. */
  readonly database: string;
  /** One statement that reads: `SELECT`, `VALUES` or `WITH`. */
  readonly query: string;
}

/** A cell; bytes are written as in SQL, `x'00ff'`, and integers that a number cannot hold exactly as text. */
export type Cell = number | string | null;

/** What a query found: the columns' names, and a list of cells for each row. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}
