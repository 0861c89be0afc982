import type { Database, InitSqlJsStatic, SqlJsStatic } from "sql.js";
import type { fixClock } from "./fixed-clock.ts";
import type { imageOf } from "./image.ts";
import type { Query } from "./query.ts";
import type { answerQuery, Said } from "./sql-answer.ts";
import type { Instance, instantiate } from "./wasm.ts";

/** Parameters of the thread. */
export interface SqlThread {
  /** The file of sql.js. */
  readonly file: string;
  readonly module: WebAssembly.Module;
  readonly megabytes: number;
  readonly characters: number;
  readonly steps: number;
  /** The message for functions that are not deterministic. */
  readonly chance: string;
}

/** Functions whose source text the thread gets too. */
export interface SqlParts {
  readonly instantiate: typeof instantiate;
  readonly imageOf: typeof imageOf;
  readonly fixClock: typeof fixClock;
  readonly answerQuery: typeof answerQuery;
}

/**
 * The program of a SQL thread: SQLite with a fixed clock and without randomness. Each query starts from the same
 * memory image and creates its database again: its result and its steps do not depend on earlier queries.
 *
 * Threads start from the source text of this function, so it uses only its parameters.
 */
export function serveSql(
  require: NodeJS.Require,
  { file, module, megabytes, characters, steps, chance }: SqlThread,
  parts: SqlParts,
): (query: Query) => Promise<Said> {
  parts.fixClock(require);
  const none = (): never => {
    throw new Error(chance);
  };

  interface Engine {
    readonly sqlite: SqlJsStatic;
    readonly fuel: WebAssembly.Global<"i32">;
    readonly restore: () => void;
    /** Databases left open. */
    left: number;
  }

  const newEngine = async (): Promise<Engine> => {
    // sql.js makes one instance each time it is loaded.
    delete require.cache[file];
    const load = require(file) as InitSqlJsStatic;
    let held!: Instance;
    const instantiateWasm = parts.instantiate(module, megabytes, (i) => (held = i));
    const sqlite = await load({ instantiateWasm } as object);
    const { memory, fuel, stack } = held;
    const [image, pointer] = [parts.imageOf(memory), stack.value];
    const restore = () => {
      image();
      stack.value = pointer;
    };
    return { sqlite, fuel, restore, left: 0 };
  };

  const make = (sqlite: SqlJsStatic, script: string): Database => {
    const database = new sqlite.Database();
    database.create_function("random", () => none());
    database.create_function("randomblob", (_: unknown) => none());
    database.exec(
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY",
    );
    database.exec(script);
    database.exec(`PRAGMA query_only=1; PRAGMA hard_heap_limit=${(megabytes / 2) * 2 ** 20}`);
    return database;
  };

  /**
   * Closes a database and so removes its file, which is in memory but not in the image. A database stopped in the
   * middle cannot be closed; its file is removed through another database of this name.
   */
  const tidy = (used: Engine, database: Database | undefined) => {
    used.fuel.value = 2 ** 31 - 1;
    if (!database) {
      used.restore();
      used.left++;
    }
    (database ?? new used.sqlite.Database()).close();
  };

  // Statements that leave files behind besides the database's own.
  const more = /attach|vacuum|pragma/i;
  let engine: Engine | undefined;
  return async ({ database: script, query }) => {
    if (engine && engine.left > 100) engine = undefined;
    engine ??= await newEngine();
    const { sqlite, fuel, restore } = engine;
    let database: Database | undefined;
    restore();
    fuel.value = steps;
    try {
      database = make(sqlite, script);
      // Creation and query have separate step limits.
      fuel.value = steps;
      return parts.answerQuery(database, query, characters);
    } catch (error) {
      const message = (error as Error)?.message;
      if (fuel.value < 0) return { status: "timeout", message: "It took too many steps." };
      if (message === chance) return { status: "refused", message };
      // SQLite's own errors are plain ones; others mean a stack overflow or corrupt memory.
      const own = error instanceof Error && error.constructor === Error;
      const full = own ? /out of memory|too big/.test(message) : /call stack|memory/.test(message);
      if (!own) engine = undefined;
      return { status: full ? "memory" : "error", message };
    } finally {
      if (more.test(script)) engine = undefined;
      if (engine) tidy(engine, fuel.value >= 0 ? database : undefined);
    }
  };
}
