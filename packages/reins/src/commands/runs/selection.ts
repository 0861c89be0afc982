import { listRuns } from "@reins/core/directory";
import { findRun } from "../../cli/find-run.ts";
import { type Opened, openRun } from "../../terminal/curves.ts";

/** Opens the given runs; by default the newest `most` of a folder. */
export function openRuns(names: readonly string[], root: string, most: number): Opened[] {
  const paths = names.length
    ? names.map((name) => findRun(name, root))
    : listRuns(root, () => {})
        .slice(-most)
        .map((r) => r.path);
  return paths.map(openRun);
}
