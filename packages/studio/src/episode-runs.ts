import { promises as fs } from "node:fs";
import { join } from "node:path";
import type { RunsFolder } from "./folder.ts";

/** Names of the runs of which episodes were recorded. */
export async function runsWithEpisodes(folder: RunsFolder): Promise<string[]> {
  const found: string[] = [];
  for (const name of await folder.names()) {
    const path = join(folder.root, name, "episodes");
    // Links are not followed.
    if (!(await fs.lstat(path).catch(() => undefined))?.isDirectory()) continue;
    const files = await fs.readdir(path).catch(() => []);
    if (files.some((file) => /^\d+\.json$/.test(file))) found.push(name);
  }
  return found;
}
