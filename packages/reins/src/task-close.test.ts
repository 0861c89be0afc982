import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

/** The built program. */
const program = fileURLToPath(new URL("../bin/reins.js", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../dist/packed/main.js", import.meta.url)));

const server = `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
const server = new McpServer({ name: "weights", version: "1" });
server.registerTool("weigh", { description: "Weighs." }, () => ({ content: [{ type: "text", text: "7" }] }));
await server.connect(new StdioServerTransport());
`;

/** A task whose tools run in another process, which keeps the event loop alive. */
const task = (more = "") => `
import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { textTask, tools } from "@reins/language";
const client = new Client({ name: "training", version: "1" });
const args = [new URL("server.mjs", import.meta.url).pathname];
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
${more}
export default textTask({
  id: "weights",
  about: "Says a weight.",
  levels: 1,
  alphabet: "0123456789abcdefghijklmnopqrstuvwxyz(){}\\":,=?-. ",
  longest: { prompt: 3, answer: 8 },
  episode: { turns: 2, tools: await tools.mcpTools(client) },
  make: (random) => {
    const answer = String(random.integers(10, 99));
    return { prompt: answer + "?", answer, data: 0 };
  },
  verify: ({ answer }, said) => ({ score: said === answer ? 1 : 0 }),
  close: () => writeFileSync(new URL("closed", import.meta.url), "closed"),
});
`;

/** Runs a command in a folder whose files can import the packages of this project. Resolves when the process has ended. */
async function reins(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const cwd = mkdtempSync(fileURLToPath(new URL("../task-close-", import.meta.url)));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const env = { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1", REINS_STATE: cwd, VITEST: "" };
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  const closed = existsSync(join(cwd, "closed")) && readFileSync(join(cwd, "closed"), "utf8");
  return { code, out, err, closed };
}

it.skipIf(!built)(
  "a command with an MCP client closes its task and exits",
  { timeout: 120_000 },
  async () => {
    const { code, err, closed } = await reins(
      { "server.mjs": server, "task.mjs": task() },
      ...["train", "grpo", "./task.mjs", "--steps", "8", "--quiet", "--eval-episodes", "1"],
    );
    expect([code, closed], err).toEqual([0, "closed"]);
  },
);

it.skipIf(!built)("a failed command exits", { timeout: 120_000 }, async () => {
  const { code, closed } = await reins(
    { "server.mjs": server, "task.mjs": task() },
    ...["train", "grpo", "./task.mjs", "--steps", "8", "--no-such-flag", "1"],
  );
  expect(code).not.toBe(0);
  expect([false, "closed"]).toContain(closed);
});

it.skipIf(!built)(
  "a task file that throws after starting a client ends the command",
  { timeout: 120_000 },
  async () => {
    const { code, err } = await reins(
      { "server.mjs": server, "task.mjs": task('throw new Error("the scale is broken");') },
      ...["train", "grpo", "./task.mjs", "--steps", "8"],
    );
    expect([code, err]).toEqual([1, expect.stringContaining("the scale is broken")]);
  },
);
