import type { promises as fs } from "node:fs";
import { parseRow } from "@reins/core/directory";
import { readBytes } from "./growing-file.ts";

/** Bytes read around each point: rows are a few hundred long. */
const window = 4096;

/** A few evenly spaced points of a metric, without reading the whole log. */
export async function sparkOf(
  file: fs.FileHandle,
  metric: string,
  points: number,
): Promise<(number | null)[]> {
  const { size } = await file.stat();
  const read = async (at: number, length: number) =>
    valuesIn((await readBytes(file, at, length)).toString("utf8"), metric, at === 0);
  if (size <= window * points) return spread(await read(0, size), points);
  const found: (number | null)[] = [];
  for (let i = 0; i < points; i++) {
    const at = Math.floor(((size - window) * i) / (points - 1));
    found.push((await read(at, window)).at(-1) ?? null);
  }
  return found;
}

/** Values of a metric in the complete lines of a text. The first line is complete only at the beginning of a file. */
function valuesIn(text: string, metric: string, fromStart: boolean): (number | null)[] {
  const lines = text.split("\n").slice(fromStart ? 0 : 1, -1);
  return lines.flatMap((line) => {
    const value = parseRow(line)?.[metric];
    return value === undefined ? [] : [Number.isFinite(value) ? value : null];
  });
}

function spread<T>(values: readonly T[], points: number): T[] {
  if (values.length <= points) return [...values];
  return Array.from(
    { length: points },
    (_, i) => values[Math.round((i * (values.length - 1)) / (points - 1))],
  );
}
