import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Setting } from "./batch.ts";
import type { Program } from "./program.ts";
import type { Reply, Request, SlotResult } from "./worker.ts";

const source = fileURLToPath(import.meta.url);
/** The built worker, or the TypeScript source in tests. */
const script = fileURLToPath(
  new URL(source.endsWith(".ts") ? "../dist/worker.js" : "./worker.js", import.meta.url),
);

/** A child process that runs programs: a crash is a finding, and a new process continues. */
export class Child {
  private process: ChildProcess | undefined;
  private readonly env: NodeJS.ProcessEnv;
  private asked = 0;
  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
  }

  /** The answer; or how the process died, and what it was about to do. */
  ask(
    request: Request,
    seconds = 300,
  ): Promise<{ result: SlotResult } | { death: string; programs: readonly Program[]; setting?: Setting }> {
    // Bound functions and loaded libraries are never unloaded, so the process is replaced regularly.
    if (this.asked++ > 40 && request.kind === "slot") this.end();
    this.process ??= fork(script, [], {
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      env: this.env,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child = this.process;
    let last: { programs: readonly Program[]; setting?: Setting } = {
      programs: request.kind === "check" ? request.programs : [],
      ...(request.kind === "check" ? { setting: request.setting } : {}),
    };
    let said = "";
    return new Promise((done) => {
      const finish = (answer: Awaited<ReturnType<Child["ask"]>>) => {
        clearTimeout(timer);
        child.removeAllListeners();
        child.stderr?.removeAllListeners();
        done(answer);
      };
      const die = (death: string) => {
        this.process = undefined;
        finish({ death, ...last });
      };
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        die(`no answer after ${seconds} s`);
      }, seconds * 1000);
      child.stderr?.on("data", (text) => (said = (said + text).slice(-2000)));
      child.on("message", (reply: Reply) => {
        if (reply.kind === "at") last = { programs: reply.programs, setting: reply.setting };
        else finish({ result: reply.result });
      });
      child.on("exit", (code, signal) =>
        die(`${signal ?? `exit ${code}`} ${said.trim().split("\n").slice(-3).join(" | ")}`),
      );
      child.on("error", (error) => die(error.message));
      child.send(request);
    });
  }

  end(): void {
    this.process?.kill("SIGKILL");
    this.process = undefined;
    this.asked = 0;
  }
}
