import type { Generator } from "@reins/core/random";
import { between } from "../random.ts";

/** A question: tables with their columns, the words after the colon, and a query that answers it. */
export interface Question {
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly words: string;
  readonly query: string;
  /** The column that orders the rows: its values are distinct, so that the order is unique. */
  readonly order?: string;
}

export const tableNames = "pqrstuvw";
export const columnNames = "abcdefghijklm";

const compare = (r: Generator) => r.choice(["<", ">", "=", "<=", ">="]);
/** A condition on a column. */
export const test = (r: Generator, column: string) => `${column}${compare(r)}${between(r, 1, 9)}`;
