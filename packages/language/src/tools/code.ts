import { type JavaScriptLimits, javascript } from "../sandboxes/javascript.ts";
import { type PythonLimits, python } from "../sandboxes/python.ts";
import { type Tool, tool } from "./tool.ts";

const parameters = {
  type: "object",
  properties: { code: { type: "string" } },
  required: ["code"],
} as const;

/**
 * Runs JavaScript in a sandbox. Variables of earlier calls of the conversation persist: their scripts run again
 * before each call, with the same results, since the sandbox has no clock and no randomness. The result is the value
 * of the last expression.
 */
export function javascriptTool(options: Partial<JavaScriptLimits> = {}, name = "javascript"): Tool {
  const sandbox = javascript(options);
  return tool<{ code: string }>({
    name,
    about: "Runs a script in JavaScript and answers the value of its last expression. Variables stay.",
    parameters,
    run: ({ code }, { store, signal }) =>
      inOrder(store, async () => {
        const before = kept(store, name);
        const { status, value, message } = await sandbox.run({ code, before: [...before] });
        signal.throwIfAborted();
        // A script that does not end would not end again.
        if (status === "ok" || status === "error") before.push(code);
        if (status !== "ok") throw new Error(`${status}: ${message}`);
        return value === undefined ? "undefined" : value;
      }),
  });
}

/**
 * Runs Python in a sandbox: returns the printed output and the value of the last expression. Failed calls are not run
 * again.
 */
export function pythonTool(options: Partial<PythonLimits> = {}, name = "python"): Tool {
  let sandbox: ReturnType<typeof python> | undefined;
  return tool<{ code: string }>({
    name,
    about:
      "Runs a program in Python and answers what it prints and the value of its last expression. Variables stay.",
    parameters,
    timeout: 60_000,
    run: ({ code }, { store, signal }) =>
      inOrder(store, async () => {
        sandbox ??= python(options);
        const before = kept(store, name);
        const printed = (store.get(`${name} output`) as string | undefined) ?? "";
        const { status, value, message } = await sandbox.run([...before, code].join("\n"));
        signal.throwIfAborted();
        if (status !== "ok") throw new Error(`${status}: ${message}`);
        before.push(code);
        const { output, value: last } = value!;
        store.set(`${name} output`, output);
        // Output of earlier calls was returned already.
        const fresh = output.slice(printed.length);
        return fresh + (last === null || last === undefined ? "" : JSON.stringify(last));
      }),
  });
}

/** The latest call of each conversation. */
const latest = new WeakMap<Map<string, unknown>, Promise<unknown>>();

/** Runs the calls of a conversation in order, also those of one turn: each sees the variables of all earlier ones. */
function inOrder<T>(store: Map<string, unknown>, work: () => Promise<T>): Promise<T> {
  const own = (latest.get(store) ?? Promise.resolve()).then(work);
  latest.set(
    store,
    own.catch(() => {}),
  );
  return own;
}

/** The conversation's scripts so far. */
function kept(store: Map<string, unknown>, name: string): string[] {
  const found = store.get(name) as string[] | undefined;
  if (found) return found;
  const fresh: string[] = [];
  store.set(name, fresh);
  return fresh;
}
