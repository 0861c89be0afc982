import type { Database, InitSqlJsStatic, SqlJsStatic } from "sql.js";
import { createRequire } from "#node";
import { failure, type Limits, type Outcome, type Sandbox } from "./sandbox.ts";
import { instantiate } from "./wasm.ts";
import { OutOfTime, stackIsFull, within } from "./within.ts";

/** A question to a database. */
export interface Query {
  /** Statements that make the database; theirs are the tables. */
  readonly database: string;
  /** One statement that reads: `SELECT`, `VALUES` or `WITH`. */
  readonly query: string;
}

/** A cell; bytes are written as in SQL, `x'00ff'`. */
export type Cell = number | string | null;
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const defaults: Limits = { milliseconds: 1000, megabytes: 64, characters: 20_000 };
/** Databases kept open, as many questions are asked of the same one. */
const kept = 128;

const require = createRequire(import.meta.url);

/**
 * SQL in SQLite compiled to WebAssembly. Databases are in memory and cannot be written to once they are made, so the same one answers
 * many queries.
 */
export function sql(options: Partial<Limits> = {}): Sandbox<Query, Table> {
  const limits = { ...defaults, ...options };
  let engine: Promise<Engine> | undefined;
  return {
    id: "sql",
    limits,
    async run({ database, query }) {
      if (query.length > limits.characters) return failure("refused", "The query is too long.");
      if (chance.test(query)) return failure("refused", "There is neither chance nor a clock here.");
      if (!reads(query)) return failure("refused", "A query begins with SELECT, VALUES or WITH.");
      let e: Engine;
      do e = await (engine ??= newEngine(limits.megabytes));
      while (e.broken);
      try {
        return within(limits.milliseconds, () => ask(e.open(database), query, limits.characters));
      } catch (error) {
        const message = (error as Error)?.message;
        // SQLite reports its own errors as plain ones and goes on; others left it in the middle of its work.
        if (error instanceof Error && error.constructor === Error)
          return failure(/out of memory|too big/.test(message) ? "memory" : "error", message);
        e.broken = true;
        engine = undefined;
        if (error instanceof OutOfTime) return failure("timeout", message);
        return failure(stackIsFull(error) ? "memory" : "error", message);
      }
    },
  };
}

/** What would make two runs of the same query differ. */
const chance =
  /\brandom(?:blob)?\b|\bcurrent_(?:date|time|timestamp)\b|'now'|\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)/i;

/** Whether the first word is one that reads. `query_only` stops what such a statement might still write. */
function reads(query: string): boolean {
  const first = query.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  return /^(?:select|values|with)\b/i.test(first);
}

interface Engine {
  broken: boolean;
  open(script: string): Database;
}

async function newEngine(megabytes: number): Promise<Engine> {
  const file = require.resolve("sql.js");
  // sql.js makes one instance for each time it is loaded; a broken one is replaced by loading it again.
  delete require.cache[file];
  const load = require(file) as InitSqlJsStatic;
  const instantiateWasm = instantiate(require.resolve("sql.js/dist/sql-wasm.wasm"), megabytes);
  const sqlite: SqlJsStatic = await load({ instantiateWasm } as object);
  const open = new Map<string, Database>();
  return {
    broken: false,
    open(script) {
      let database = open.get(script);
      if (!database) {
        database = new sqlite.Database();
        database.exec(script);
        database.exec(`PRAGMA query_only=1; PRAGMA hard_heap_limit=${(megabytes / 2) * 2 ** 20}`);
      }
      // The map is in order of use: what has not been asked for longest is first.
      open.delete(script);
      open.set(script, database);
      for (const [old, unused] of open) {
        if (open.size <= kept) break;
        unused.close();
        open.delete(old);
      }
      return database;
    },
  };
}

function ask(database: Database, query: string, characters: number): Outcome<Table> {
  const statements = database.iterateStatements(query);
  const { value: statement, done } = statements.next();
  if (done) return failure("error", "There is no query.");
  try {
    if (!/^[\s;]*$/.test(statements.getRemainingSQL())) return failure("refused", "One statement at a time.");
    const rows: Cell[][] = [];
    let left = characters;
    while (statement.step()) {
      const row = statement
        .get()
        .map((v) => (v instanceof Uint8Array ? `x'${Buffer.from(v).toString("hex")}'` : v));
      for (const cell of row) left -= 1 + String(cell).length;
      if (left < 0) return failure("memory", `The result has more than ${characters} characters.`);
      rows.push(row);
    }
    return { status: "ok", value: { columns: statement.getColumnNames(), rows } };
  } finally {
    statement.free();
  }
}
