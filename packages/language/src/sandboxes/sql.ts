import { threads } from "../threads.ts";
import { engineFile } from "./engines.ts";
import { fixClock } from "./fixed-clock.ts";
import { imageOf } from "./image.ts";
import type { Query, Table } from "./query.ts";
import { failure, type Sandbox, type SandboxLimits } from "./sandbox.ts";
import { answerQuery, type Said } from "./sql-answer.ts";
import { type SqlParts, type SqlThread, serveSql } from "./sql-thread.ts";
import { instantiate, moduleOf } from "./wasm.ts";

/** Limits of a query. */
export interface SqlLimits extends SandboxLimits {
  /**
   * Calls and loop iterations in the engine, some hundred million per second: the deciding limit, the same on every
   * machine.
   */
  readonly steps: number;
}

// Steps limit queries; the clock is a last resort.
const defaults: SqlLimits = { milliseconds: 10_000, megabytes: 64, characters: 20_000, steps: 5_000_000 };

/**
 * SQL in SQLite compiled to WebAssembly, in worker threads. Databases are in memory, created for each query, and
 * read-only afterwards. The clock always shows the first moment of the year 2000 in UTC, and `random` is rejected:
 * the same query has the same result on every machine.
 */
export function sql(options: Partial<SqlLimits> = {}): Sandbox<Query, Table> {
  const limits = { ...defaults, ...options };
  let ask: ReturnType<typeof threads<Query, Said>> | undefined;
  return {
    id: "sql",
    limits,
    async run({ database, query }) {
      if (query.length > limits.characters) return failure("refused", "The query is too long.");
      if (!reads(query)) return failure("refused", "A query begins with SELECT, VALUES or WITH.");
      ask ??= newThreads(limits);
      const said = await ask({ database, query });
      if (said === "timeout") return failure("timeout", `It took longer than ${limits.milliseconds} ms.`);
      if (said === "died") return failure("memory", "SQLite ended without an answer.");
      return said.status === "ok" ? { status: "ok", value: said.value! } : failure(said.status, said.message);
    },
  };
}

function newThreads({ milliseconds, megabytes, characters, steps }: SqlLimits) {
  const module = moduleOf(engineFile("sql", "sql.js", "sql.js/dist/sql-wasm.wasm"));
  const file = engineFile("sql", "sql.js");
  const chance = "There is no chance here.";
  const data: SqlThread = { file, module, megabytes, characters, steps, chance };
  const parts: SqlParts = { instantiate, imageOf, fixClock, answerQuery };
  const texts = Object.entries(parts).map(([name, part]) => `${name}: ${part}`);
  const serve = `(require, data) => (${serveSql})(require, data, { ${texts.join(", ")} })`;
  return threads<Query, Said>({ serve, data, milliseconds });
}

/** Whether the first keyword is a reading one. `query_only` stops any writes of such a statement. */
function reads(query: string): boolean {
  const first = query.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  return /^(?:select|values|with)\b/i.test(first);
}
