import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Campaign, Outcome } from "./campaign.ts";
import { environment, owned, reins, runNode } from "./process.ts";
import type { Random } from "./random.ts";
import { sendRaw } from "./raw-request.ts";
import { attackOf, type Target } from "./request-attacks.ts";
import type { Scratch } from "./scratch.ts";

/** Maximum memory of a server in bytes. */
const mostMemory = 1.5e9;

/** Malformed requests to a real gateway and a real studio. */
export const requests: Campaign = {
  name: "requests",
  about:
    "Sends malformed requests to reins serve and reins studio: oversized, truncated, of wrong types, without a token. They must answer 4xx and keep working.",
  unit: "requests",
  columns: ["requests", "refused", "answered", "dropped"],
  async open(scratch) {
    const root = await prepared(scratch);
    const servers = [await gatewayOf(root), await studioOf(root)];
    const before = digestOf(root);
    return {
      async trial(_number, random) {
        const server = random.of(servers);
        return trialOf(server, random, () => digestOf(root) === before);
      },
      close: () => servers.forEach((server) => server.stop()),
    };
  },
};

/** A running server and its observable state. */
export interface Server extends Target {
  isAlive(): boolean;
  /** Its memory in bytes; 0 if the system does not report it. */
  memory(): number;
}

interface Stoppable {
  stop(): void;
}

/** Sends one malformed request, then a valid one. */
export async function trialOf(server: Server, random: Random, isUntouched: () => boolean): Promise<Outcome> {
  const attack = attackOf(random, server);
  const { status, hung, text } = await sendRaw(server.port, attack);
  const findings: string[] = [];
  if (hung) findings.push("no answer, and the connection stayed open");
  if (status !== undefined && status >= 500) findings.push(`status ${status}: ${text.slice(-300)}`);
  if (status !== undefined && status < 400 && !attack.lenient)
    findings.push(`status ${status} to a bad request`);
  const fine = await sendRaw(server.port, { pieces: [fineRequest(server)] });
  if (fine.status !== 200)
    findings.push(`a valid request was then answered with ${fine.status ?? "nothing"}`);
  if (!server.isAlive()) findings.push("the server ended");
  const memory = server.memory();
  if (memory > mostMemory) findings.push(`the server holds ${Math.round(memory / 1e6)} MB`);
  if (!isUntouched()) findings.push("a file in the folder of runs was changed");
  const kind = status === undefined ? "dropped" : status >= 400 ? "refused" : "answered";
  return { what: attack.what, counts: { requests: 1, [kind]: 1 }, findings };
}

function fineRequest({ fine: { method, path, body = "" }, port, bearer }: Target): string {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: ${bearer}`];
  return [...head, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body].join("\r\n");
}

/** A folder with a run of a tiny language model, and files beside it that must not be read. */
async function prepared(scratch: Scratch): Promise<string> {
  const folder = scratch.fresh("requests");
  writeFileSync(join(folder, "secret"), "secret");
  const train = [
    "train",
    "grpo",
    "arithmetic",
    "--name",
    "a",
    "--steps",
    "4",
    "--eval-episodes",
    "1",
    "--quiet",
  ];
  const { code, err } = await runNode([reins, ...train], { cwd: folder, limit: 300 });
  if (code !== 0) throw new Error(`The run to serve could not be trained: ${err}`);
  mkdirSync(join(folder, "runs", ".deleted"), { recursive: true });
  return folder;
}

/** Starts a command and waits until its output matches. */
async function started(cwd: string, args: readonly string[], pattern: RegExp) {
  const child = owned(
    spawn(process.execPath, [reins, ...args], {
      cwd,
      env: environment({}),
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  let text = "";
  const found = await new Promise<RegExpExecArray>((done, failed) => {
    const read = (more: Buffer) => {
      text += more;
      const match = pattern.exec(text);
      if (match) done(match);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.on("exit", () => failed(new Error(`reins ${args.join(" ")} ended: ${text}`)));
  });
  const seen = {
    isAlive: () => child.exitCode === null,
    memory: () => memoryOf(child),
    stop: () => child.kill("SIGKILL"),
  };
  return { seen, found };
}

async function gatewayOf(root: string): Promise<Server & Stoppable> {
  const { seen, found } = await started(
    root,
    ["serve", "a", "--key", "secret-key"],
    /base URL\s+http:\/\/[^:]+:(\d+)/,
  );
  const fine = { method: "GET", path: "/v1/models" };
  return { ...seen, name: "gateway", port: Number(found[1]), bearer: "Bearer secret-key", fine };
}

async function studioOf(root: string): Promise<Server & Stoppable> {
  const { seen, found } = await started(root, ["studio", "runs", "--port", "0"], /:(\d+)\/\?token=([\w-]+)/);
  const fine = { method: "GET", path: "/api/runs" };
  return { ...seen, name: "studio", port: Number(found[1]), bearer: `Bearer ${found[2]}`, fine };
}

/** Memory of a process in bytes; 0 if the system does not report it. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

/** The names and contents of a folder. Only a note that a request writes may change. */
function digestOf(root: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }).sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    if (entry.name === "studio.json") continue;
    hash.update(join(entry.parentPath, entry.name));
    if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return hash.digest("hex");
}
