import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { fail } from "@reins/core";
import type { MetricRow, SinkRun, SinkWriter } from "./sink.ts";

/**
 * Writes rows as CSV. A metric that appears later becomes a new column at the end; the file is then rewritten,
 * so that every line has the same columns. A resumed run starts with the rows up to its checkpoint.
 */
export function csvFile(path: string, run: SinkRun): SinkWriter {
  const rows: MetricRow[] = [...run.rows];
  const columns = new Set(["step"]);
  const line = (row: MetricRow) => `${[...columns].map((name) => shown(row[name])).join(",")}\n`;
  /** Whether a row has a metric without a column. */
  const widens = (row: MetricRow): boolean => {
    const before = columns.size;
    for (const name of Object.keys(row)) columns.add(name);
    return columns.size > before;
  };
  const rewrite = () => {
    const text = [`${[...columns].map(quoted).join(",")}\n`, ...rows.map(line)].join("");
    const draft = `${path}.${process.pid}.part`;
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, path);
    return openSync(path, "a");
  };
  for (const row of rows) widens(row);
  requireTable(path);
  mkdirSync(dirname(path), { recursive: true });
  let fd = rewrite();
  return {
    row(row) {
      rows.push(row);
      if (!widens(row)) return void writeSync(fd, line(row));
      closeSync(fd);
      fd = rewrite();
    },
    close: () => closeSync(fd),
  };
}

/** Refuses to replace a file that is not such a table: the path may be that of the training data. */
function requireTable(path: string): void {
  if (!existsSync(path)) return;
  const fd = openSync(path, "r");
  try {
    const start = Buffer.alloc(5);
    const length = readSync(fd, start);
    if (length > 0 && !/^step[,\n]/.test(start.toString("latin1", 0, length)))
      fail(path, "the file exists and is not a table of metrics. Choose another path.");
  } finally {
    closeSync(fd);
  }
}

/** A number as spreadsheets and pandas read it; empty if missing. */
const shown = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value)
    ? ""
    : Number.isFinite(value)
      ? String(value)
      : value > 0
        ? "inf"
        : "-inf";

const quoted = (name: string) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
