import { type SqlLimits, sql } from "../sandboxes/sql.ts";
import { type Tool, tool } from "./tool.ts";

/** Queries a database that statements create. It may depend on the environment: `database` gets its state. */
export function sqlTool<S = unknown>(
  database: string | ((state: S) => string),
  options: Partial<SqlLimits> = {},
  name = "sql",
): Tool<never, S> {
  const sandbox = sql(options);
  return tool<{ query: string }, S>({
    name,
    about: "Answers a query in SQLite's dialect: the rows as lines, cells between bars.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    async run({ query }, { state }) {
      const made = typeof database === "string" ? database : database(state);
      const { status, value, message } = await sandbox.run({ database: made, query });
      if (status !== "ok") throw new Error(`${status}: ${message}`);
      return [value!.columns, ...value!.rows].map((row) => row.map((c) => c ?? "").join("|")).join("\n");
    },
  });
}
