import { listRuns, type Row, RunDirectory } from "@reins/core/directory";
import { findRun } from "../../cli/find-run.ts";

/** A run with its rows of metrics. */
export interface Opened {
  readonly directory: RunDirectory;
  readonly rows: readonly Row[];
}

/** The runs that were named; the newest `most` of a folder if none were. */
export function openRuns(names: readonly string[], root: string, most: number): Opened[] {
  const paths = names.length
    ? names.map((name) => findRun(name, root))
    : listRuns(root, () => {})
        .slice(-most)
        .map((r) => r.path);
  return paths.map((path) => {
    const directory = RunDirectory.open(path, { warn() {} });
    return { directory, rows: directory.metrics() };
  });
}
