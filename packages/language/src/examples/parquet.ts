import { fail, ReinsError } from "@reins/core";
import { type ExampleSource, mapExamples } from "@reins/core/examples";
import { temporaryLines } from "#node";
import type { Example } from "./example.ts";
import { exampleIn } from "./format.ts";

/** Rows that are decoded at a time. */
const rowsAtOnce = 10_000;

/** The parts of `hyparquet` that are used. It is optional, so its own types may be absent. */
interface Hyparquet {
  asyncBufferFromFile(path: string): Promise<object>;
  parquetMetadataAsync(
    file: object,
  ): Promise<{ readonly num_rows: bigint; readonly row_groups: readonly { readonly num_rows: bigint }[] }>;
  parquetReadObjects(options: {
    readonly file: object;
    readonly metadata: object;
    readonly rowStart: number;
    readonly rowEnd: number;
    readonly compressors?: object;
  }): Promise<readonly object[]>;
}

/**
 * The examples of a Parquet file. A table is stored by columns and cannot be read line by line, so its rows are written once to a temporary
 * file, group by group, and streamed from there.
 */
export async function parquetExamples(path: string): Promise<ExampleSource<Example>> {
  const reader = (await installed("hyparquet", path)) as Hyparquet;
  const { compressors } = ((await optional("hyparquet-compressors")) ?? {}) as {
    readonly compressors?: object;
  };
  const lines = temporaryLines();
  try {
    const file = await reader.asyncBufferFromFile(path);
    const metadata = await reader.parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const groupEnd = rowStart + Number(num_rows);
      for (; rowStart < groupEnd; rowStart = Math.min(groupEnd, rowStart + rowsAtOnce)) {
        const rowEnd = Math.min(groupEnd, rowStart + rowsAtOnce);
        for (const row of await reader.parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }))
          lines.write(JSON.stringify(row, plainValue));
      }
    }
  } catch (error) {
    lines.remove();
    if (error instanceof ReinsError) throw error;
    return fail(path, whyNot(error as Error));
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

/** Integers of 64 bits as numbers where that is exact, else as text. */
const plainValue = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)) : value;

const whyNot = ({ message, code }: NodeJS.ErrnoException): string => {
  if (code === "ENOENT") return "the file does not exist.";
  if (/compress|codec/i.test(message))
    return `its compression is not supported (${message}). Install hyparquet-compressors, or write the file with Snappy.`;
  return `it is not a Parquet file that can be read (${message}).`;
};

/** A package that may be missing. The name is a variable, so that the package is not needed to compile. Vite throws an error without a code. */
const optional = (name: string): Promise<object | undefined> =>
  import(/* @vite-ignore */ name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_MODULE_NOT_FOUND" || error.message.startsWith("Could not resolve"))
      return undefined;
    throw error;
  });

async function installed(name: string, path: string): Promise<object> {
  const found = await optional(name);
  return found ?? fail(path, `Parquet files need the package ${name}: npm install ${name}.`);
}
