import { promises as fs } from "node:fs";
import { parseRow } from "@reins/core/directory";

/** Bytes that are looked at around each point: rows are a few hundred long. */
const window = 4096;

/** A few points of a metric, evenly from the whole log, without reading the rest of it. */
export async function sparkOf(path: string, metric: string, points: number): Promise<(number | null)[]> {
  const file = await fs.open(path, "r").catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    if (size <= window * points) return spread(valuesIn(await read(file, 0, size), metric, true), points);
    const found: (number | null)[] = [];
    for (let i = 0; i < points; i++) {
      const at = Math.floor(((size - window) * i) / (points - 1));
      found.push(valuesIn(await read(file, at, window), metric, at === 0).at(-1) ?? null);
    }
    return found;
  } finally {
    await file.close();
  }
}

async function read(file: fs.FileHandle, at: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.toString("utf8", 0, bytesRead);
}

/** Values of a metric in the whole lines of a text, whose first one is whole only at the beginning of a file. */
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
