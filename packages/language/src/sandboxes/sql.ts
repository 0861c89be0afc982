import { engineFile } from "./engines.ts";
import { imageOf } from "./image.ts";
import type { Query, Table } from "./query.ts";
import { failure, type Limits, type Sandbox } from "./sandbox.ts";
import { answerQuery, type Said } from "./sql-answer.ts";
import { type SqlParts, type SqlThread, serveSql } from "./sql-thread.ts";
import { standStill } from "./stillness.ts";
import { threads } from "./threads.ts";
import { instantiate, moduleOf } from "./wasm.ts";

/** How much a query may use. */
export interface SqlLimits extends Limits {
  /** Calls and turns of loops in the engine, some hundred million a second: the limit that decides, the same on each machine. */
  readonly steps: number;
}

// Queries end by their steps; the clock is for what nobody thought of.
const defaults: SqlLimits = { milliseconds: 10_000, megabytes: 64, characters: 20_000, steps: 5_000_000 };

/**
 * SQL in SQLite compiled to WebAssembly, in threads beside this one. Databases are in memory, made anew for each query, and cannot be
 * written to once they are made. It is always the first moment of the year 2000 there, in UTC, and `random` is refused: the same
 * query finds the same on each machine.
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
  const parts: SqlParts = { instantiate, imageOf, standStill, answerQuery };
  const texts = Object.entries(parts).map(([name, part]) => `${name}: ${part}`);
  const serve = `(require, data) => (${serveSql})(require, data, { ${texts.join(", ")} })`;
  return threads<Query, Said>({ serve, data, milliseconds });
}

/** Whether the first word is one that reads. `query_only` stops what such a statement might still write. */
function reads(query: string): boolean {
  const first = query.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  return /^(?:select|values|with)\b/i.test(first);
}
