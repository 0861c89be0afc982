import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import type { Machine } from "./result.ts";

/** What runs here are computed with, beside their back end. */
export function machineOf(backend: string, versions: { readonly [name: string]: string } = {}): Machine {
  const compiler = backend === "native" ? firstLine("gcc", "--version") : undefined;
  return {
    backend,
    processor: `${process.arch} ${cpus()[0]?.model ?? "unknown"}`,
    ...(compiler && { compiler }),
    versions: { node: process.versions.node, ...versions },
  };
}

/** The commit of the folder, with a mark where something was changed since. */
export function commitOf(folder: string): string {
  const head = firstLine("git", "-C", folder, "rev-parse", "--short=10", "HEAD") ?? "unknown";
  const changed = firstLine("git", "-C", folder, "status", "--porcelain", "--untracked-files=no");
  return changed ? `${head}+` : head;
}

function firstLine(program: string, ...args: string[]): string | undefined {
  try {
    const text = execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return text.split("\n")[0] || undefined;
  } catch {
    return undefined;
  }
}
