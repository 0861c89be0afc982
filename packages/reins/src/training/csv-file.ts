import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
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
    writeFileSync(draft, text);
    renameSync(draft, path);
    return openSync(path, "a");
  };
  for (const row of rows) widens(row);
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
