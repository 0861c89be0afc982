import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fail } from "@reins/core";
import { holdsRun, readRun } from "@reins/core/directory";
import type { RunStarter } from "@reins/studio";
import { knownOnly } from "../places/trust.ts";
import { runCommand } from "./run-command.ts";

/** Maximum concurrent runs of a studio, and timeout in milliseconds until a started run exists. */
const most = 4;
const patience = 120_000;

/** Starts runs with `reins`, each in a process that outlives the studio. `program` is the file of `reins`. */
export function runStarter(program = process.argv[1]): RunStarter {
  const running = new Set<ChildProcess>();
  return {
    async plan(path, request) {
      const { command, code, refused } = runCommand(path, request);
      return { command, code, ...(refused === undefined ? {} : { refused }) };
    },
    async start(path, request) {
      const { args, folder, refused } = runCommand(path, request);
      if (refused !== undefined) throw new Error(refused);
      const { entry } = readRun(path);
      if (request.do === "resume" && entry.status === "finished" && (request.steps ?? 0) <= entry.budget)
        fail(entry.name, `the run is finished after ${entry.steps} steps. Set more steps to extend it.`);
      if (running.size >= most)
        fail("studio", `${most} runs started by the studio are still training. Wait for one, or stop it.`);
      const logs = mkdtempSync(join(tmpdir(), "reins-start-"));
      const log = openSync(join(logs, "log"), "w");
      const child = spawn(process.execPath, [program, ...args, "--quiet"], {
        ...{ detached: true, stdio: ["ignore", log, log], windowsHide: true },
        // The arguments come from the run directory, which may come from anyone.
        env: { ...process.env, [knownOnly]: "1" },
      });
      closeSync(log);
      running.add(child);
      const ended = new Promise<void>((end) => {
        child.once("exit", () => end());
        child.once("error", () => end());
      }).then(() => running.delete(child));
      child.unref();
      try {
        const isThere = () =>
          request.do === "train" ? holdsRun(folder) : readRun(folder).entry.status === "running";
        await started(isThere, ended);
        if (!running.has(child) && !isThere())
          throw new Error(wordsIn(readFileSync(join(logs, "log"), "utf8")));
        return { name: basename(folder) };
      } finally {
        // An open file stays until its process ends.
        rmSync(logs, { recursive: true, force: true });
      }
    },
  };
}

/** Waits until a run exists, its process has ended, or the timeout. */
async function started(isThere: () => boolean, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const end = Date.now() + patience;
  while (!over && !isThere() && Date.now() < end) await new Promise((next) => setTimeout(next, 100));
}

/** Output of a process before it ended. */
const wordsIn = (log: string): string =>
  log
    .trim()
    .slice(-2000)
    .replace(/^reins: /, "") || "the process ended without a message";
