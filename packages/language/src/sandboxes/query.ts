/** A query to a database. */
export interface Query {
  /** Statements that create the database and its tables. */
  readonly database: string;
  /** One reading statement: `SELECT`, `VALUES` or `WITH`. */
  readonly query: string;
}

/** A cell; blobs are written as in SQL, `x'00ff'`, and integers beyond double precision as text. */
export type Cell = number | string | null;

/** A query's result: column names, and a list of cells for each row. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}
