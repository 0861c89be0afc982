import { type JavaScriptLimits, javascript } from "../sandboxes/javascript.ts";
import { type PythonLimits, python } from "../sandboxes/python.ts";
import { type Tool, tool } from "./tool.ts";

const parameters = {
  type: "object",
  properties: { code: { type: "string" } },
  required: ["code"],
} as const;

/**
 * Runs JavaScript in a sandbox. What a conversation's earlier calls made is there: their scripts run again before each one, which comes
 * to the same since there is neither a clock nor chance. The answer is the value of the last expression.
 */
export function javascriptTool(options: Partial<JavaScriptLimits> = {}, name = "javascript"): Tool {
  const sandbox = javascript(options);
  return tool<{ code: string }>({
    name,
    about: "Runs a script in JavaScript and answers the value of its last expression. Variables stay.",
    parameters,
    async run({ code }, { store }) {
      const before = kept(store, name);
      const { status, value, message } = await sandbox.run({ code, before: [...before] });
      // What never ends would never end again.
      if (status === "ok" || status === "error") before.push(code);
      if (status !== "ok") throw new Error(`${status}: ${message}`);
      return value === undefined ? "undefined" : value;
    },
  });
}

/** The same of Python: what is printed, and the value of the last expression. Calls that failed are not run again. */
export function pythonTool(options: Partial<PythonLimits> = {}, name = "python"): Tool {
  let sandbox: ReturnType<typeof python> | undefined;
  return tool<{ code: string }>({
    name,
    about:
      "Runs a program in Python and answers what it prints and the value of its last expression. Variables stay.",
    parameters,
    timeout: 60_000,
    async run({ code }, { store }) {
      sandbox ??= python(options);
      const before = kept(store, name);
      const printed = (store.get(`${name} output`) as string | undefined) ?? "";
      const { status, value, message } = await sandbox.run([...before, code].join("\n"));
      if (status !== "ok") throw new Error(`${status}: ${message}`);
      before.push(code);
      const { output, value: last } = value!;
      store.set(`${name} output`, output);
      // What earlier calls printed has been said.
      const fresh = output.slice(printed.length);
      return fresh + (last === null || last === undefined ? "" : JSON.stringify(last));
    },
  });
}

/** The scripts of a conversation so far. */
function kept(store: Map<string, unknown>, name: string): string[] {
  const found = store.get(name) as string[] | undefined;
  if (found) return found;
  const fresh: string[] = [];
  store.set(name, fresh);
  return fresh;
}
