import { listRuns, RunDirectory, readRun } from "@reins/core/directory";
import { findRun } from "../../cli/find-run.ts";
import { ago, compact, short, time } from "../../terminal/format.ts";
import { type Io, inkOf, print, tableWidth } from "../../terminal/io.ts";
import { sparkline } from "../../terminal/sparkline.ts";
import { table } from "../../terminal/table.ts";

/** Lists the runs of a folder, oldest first, or the given runs. */
export function list(names: readonly string[], root: string, json: boolean, io: Io): number {
  const all = names.length
    ? names.map((name) => readRun(findRun(name, root)).entry)
    : listRuns(root, (message) => print(io.err, message));
  if (json) {
    print(io.out, JSON.stringify(all));
    return 0;
  }
  if (!all.length) {
    print(io.out, `There are no runs in ${root}/ yet. Start one: reins train ppo CartPole-v1`);
    return 0;
  }
  const ink = inkOf(io.out);
  const colors = { running: 0, finished: 2, stopped: 4, crashed: 5 };
  const rows = all.map((r) => [
    ink.bold(r.name),
    r.algorithm,
    r.env,
    String(r.seed),
    `${compact(r.steps)} / ${compact(r.budget)}`,
    short(r.return),
    short(r.fresh),
    sparkline(curve(r.path), 12),
    time(r.seconds),
    ink.color(colors[r.status], r.status),
    ago(Date.parse(r.created)),
  ]);
  const heading = [
    "run",
    "algorithm",
    "environment",
    "seed",
    "steps",
    "return",
    "evaluation",
    "",
    "time",
    "state",
    "started",
  ];
  print(
    io.out,
    ...table(heading, rows, {
      ink,
      right: [3, 4, 5, 6, 8],
      width: tableWidth(io.out),
      spare: [7, 10, 3, 8, 1],
    }),
  );
  return 0;
}

const curve = (path: string) =>
  RunDirectory.open(path, { warn() {} })
    .metrics()
    .map((row) => row["return/mean"])
    .filter(Number.isFinite);
