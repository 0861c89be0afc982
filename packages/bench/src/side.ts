import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Ready } from "./child.ts";
import type { BackendName, Options } from "./options.ts";

/** One program of a comparison in its own process, which is idle outside its rounds. */
export interface Side<Sample = number> {
  readonly ready: Ready;
  /** Several samples: seconds per call by default. */
  round(): Promise<Sample[]>;
  stop(): void;
}

export type Program = "ours" | "jax-js" | "PyTorch";

/** The peer of a backend. */
export const peerOf = (backend: BackendName): Program => (backend === "wasm" ? "jax-js" : "PyTorch");

export const python = () => process.env.REINS_PYTHON || "python3";

/** WebAssembly is measured with relaxed SIMD, which Node 20 has behind a flag; REINS_RELAXED_SIMD=0 measures without. */
export const relaxedSimd = () => (process.env.REINS_RELAXED_SIMD ??= "1") === "1";

/** Starts a program on one benchmark and waits for its warm-up. Rejects with the reason if it fails. */
export async function startSide(
  program: Program,
  backend: BackendName,
  name: string,
  threads: number,
  options: Options,
): Promise<Side> {
  const args = [
    "--only",
    name,
    "--threads",
    String(threads),
    "--seconds",
    String(options.seconds),
    ...(options.small ? ["--small"] : []),
  ];
  const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  if (program === "PyTorch")
    return connect(
      spawn(python(), [here("../peers/torch.py"), ...args, "--wait", "--rounds", String(options.rounds)]),
    );
  // jax-js gets the same WebAssembly features.
  const relaxed = relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const own =
    program === "ours"
      ? [here("reins-process.js"), ...args, "--backend", backend, ...(options.profile ? ["--profile"] : [])]
      : [here("jax.js"), ...args];
  return connect(spawn(process.execPath, [...process.execArgv, ...relaxed, ...own]));
}

/** Seconds before a silent side is abandoned. */
const patience = 300;

/** Connects to a program that prints its version, then samples on request. */
export async function connect<Sample = number>(child: ChildProcessWithoutNullStreams): Promise<Side<Sample>> {
  let errors = "";
  child.stderr.on("data", (text) => (errors = (errors + text).slice(-2000)));
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const failed = new Promise<never>((_, reject) => child.on("error", reject));
  failed.catch(() => {});
  const closed = new Promise((resolve) => child.on("close", resolve));
  const next = async <T>(): Promise<T> => {
    const deadline = setTimeout(() => {
      errors = `no answer in ${patience} seconds`;
      child.kill("SIGKILL");
    }, patience * 1e3);
    const { value, done } = await Promise.race([lines.next(), failed]).finally(() => clearTimeout(deadline));
    if (done) {
      await closed;
      throw new Error(errors.trim().split("\n").pop() || "the process ended without an error message");
    }
    const message = JSON.parse(value);
    if (message.error) throw new Error(message.error);
    return message;
  };
  const ready = await next<Ready>();
  return {
    ready,
    async round() {
      child.stdin.write("go\n");
      return (await next<{ samples: Sample[] }>()).samples;
    },
    stop: () => child.stdin.end(),
  };
}
