import { fail } from "@reins/core";
import { type ExampleSource, mapExamples } from "@reins/core/examples";
import { temporaryLines } from "#node";
import type { Example } from "./example.ts";
import { exampleIn } from "./format.ts";
import { type ParquetAnswer, parquetDecoder } from "./parquet-decoder.ts";

/** Rows that are decoded at a time. */
const rowsAtOnce = 10_000;

const decoder = parquetDecoder();

/**
 * The examples of a Parquet file. A table is stored by columns and cannot be read line by line, so its rows are written once to a temporary
 * file, group by group, and streamed from there.
 */
export async function parquetExamples(path: string, decode = decoder): Promise<ExampleSource<Example>> {
  const lines = temporaryLines();
  try {
    let from = 0;
    for (const size of known(path, await decode({ path })).groups ?? [])
      for (const end = from + size; from < end; ) {
        const to = Math.min(end, from + rowsAtOnce);
        const { lines: found = [] } = known(path, await decode({ path, rows: [from, to] }));
        // A damaged count could be far above the number of rows.
        if (found.length !== to - from)
          fail(
            path,
            `it is damaged: ${to - from} rows were expected from row ${from + 1} on, but ${found.length} decoded.`,
          );
        for (const line of found) lines.write(line);
        from = to;
      }
    if (from === 0) fail(path, "the file has no rows. Add at least one.");
  } catch (error) {
    lines.remove();
    throw error;
  }
  const rows = lines.read();
  const locate = (index: number) => `${path}, row ${index + 1}`;
  const examples = mapExamples(rows, (line, _, index) => exampleIn(JSON.parse(line), locate(index)));
  return {
    ...examples,
    name: path,
    locate,
    get digest() {
      return rows.digest;
    },
  };
}

/** The answer, unless the file cannot be read. */
function known(path: string, answer: ParquetAnswer): ParquetAnswer {
  const { fault } = answer;
  if (!fault) return answer;
  const { message, code } = fault;
  if (code === "ENOENT") return fail(path, "the file does not exist.");
  if (/unsupported compression|codec/i.test(message))
    return fail(
      path,
      `its compression is not supported (${message}). Install hyparquet-compressors, or write the file with Snappy.`,
    );
  return fail(path, `it is not a Parquet file that can be read (${message}).`);
}
