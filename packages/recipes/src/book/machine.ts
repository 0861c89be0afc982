import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import type { Machine } from "./result.ts";

/** The machine of the current process, besides the back end. */
export function machineOf(backend: string, versions: { readonly [name: string]: string } = {}): Machine {
  const compiler = backend === "native" ? firstLine("gcc", "--version") : undefined;
  return {
    backend,
    processor: `${process.arch} ${cpus()[0]?.model ?? "unknown"}`,
    ...(compiler && { compiler }),
    versions: { node: process.versions.node, ...versions },
  };
}

/** The commit of the book, with a mark if code differs from it or is not committed; results are ignored. */
export function commitOf(book: string): string {
  const head = firstLine("git", "-C", book, "rev-parse", "--short=10", "HEAD") ?? "unknown";
  // A recipe that was never committed belongs to no commit.
  const code = [":(top)packages", ":(glob)*/*.ts"];
  const changed = firstLine(
    "git",
    "-C",
    book,
    "status",
    "--porcelain",
    "--untracked-files=all",
    "--",
    ...code,
  );
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
