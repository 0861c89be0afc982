import { join } from "node:path";
import { namesIn, type RunsFolder } from "./folder.ts";

/** Numbers of the recorded episodes of a run, in order. */
export async function recordedIn(path: string): Promise<number[]> {
  const files = (await namesIn(join(path, "episodes"))).filter((name) => /^\d+\.json$/.test(name));
  return files.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
}

/** Names of the runs with recorded episodes. */
export async function runsWithEpisodes(folder: RunsFolder): Promise<string[]> {
  const found: string[] = [];
  for (const name of await folder.names()) {
    const numbers = await recordedIn(join(folder.root, name)).catch(() => []);
    if (numbers.length > 0) found.push(name);
  }
  return found;
}
