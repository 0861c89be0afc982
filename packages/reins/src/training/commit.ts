import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Commit of the Git repository that contains a folder, read from its files without starting Git; undefined if there is none. */
export function commitAround(folder = process.cwd()): string | undefined {
  try {
    const git = gitOf(resolve(folder));
    if (git === undefined) return undefined;
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const [, branch] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
    const commit = branch === undefined ? head : refOf(git, branch);
    return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}

function gitOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git", "HEAD"))) return join(at, ".git");
    if (dirname(at) === at) return undefined;
  }
}

/** Resolves a reference: from its own file or from packed-refs. */
function refOf(git: string, branch: string): string | undefined {
  const loose = join(git, branch);
  if (existsSync(loose)) return readFileSync(loose, "utf8").trim();
  const packed = readFileSync(join(git, "packed-refs"), "utf8");
  return packed
    .split("\n")
    .find((line) => line.endsWith(` ${branch}`))
    ?.split(" ")[0];
}
