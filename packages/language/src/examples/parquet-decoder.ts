import { fail } from "@reins/core";
import { createRequire, pathToFileURL } from "#node";
import { threads } from "../threads.ts";

/** A request to the decoder: the sizes of a file's row groups, or some of its rows. */
export interface ParquetJob {
  readonly path: string;
  readonly rows?: readonly [from: number, to: number];
}

/** Sizes of row groups, rows as lines of JSON, or why there are none. */
export interface ParquetAnswer {
  readonly groups?: readonly number[];
  readonly lines?: readonly string[];
  readonly fault?: { readonly message: string; readonly code?: string };
}

/** Decodes Parquet files. Rejects if it does not end. */
export type ParquetDecoder = (job: ParquetJob) => Promise<ParquetAnswer>;

/**
 * Text of the thread's function. Integers of 64 bits are numbers where that is exact, else text. The last file stays open between requests.
 */
const serve = `(require, { reader, compressors }) => {
  const loaded = Promise.all([import(reader), compressors ? import(compressors) : {}]);
  const plain = (_, value) =>
    typeof value === "bigint" ? (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)) : value;
  let opened = {};
  return async ({ path, rows }) => {
    try {
      const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects }, { compressors }] = await loaded;
      if (!rows || opened.path !== path) {
        const file = await asyncBufferFromFile(path);
        opened = { path, file, metadata: await parquetMetadataAsync(file) };
      }
      const { file, metadata } = opened;
      if (!rows) return { groups: metadata.row_groups.map((group) => Number(group.num_rows)) };
      const [rowStart, rowEnd] = rows;
      const objects = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors });
      return { lines: objects.map((row) => JSON.stringify(row, plain)) };
    } catch ({ message, code }) {
      return { fault: { message, code } };
    }
  };
}`;

/**
 * A decoder in threads: on some damaged files it never ends. A request that takes longer than `milliseconds` is an error, and its
 * thread is terminated.
 */
export function parquetDecoder(milliseconds = 120_000): ParquetDecoder {
  let ask: ReturnType<typeof threads<ParquetJob, ParquetAnswer>> | undefined;
  return async (job) => {
    const { path } = job;
    ask ??= threads({ serve, data: packages(path), milliseconds });
    const answer = await ask(job);
    if (answer === "timeout")
      return fail(
        path,
        `decoding did not end within ${milliseconds / 1000} s, so the file is probably damaged. Write it again.`,
      );
    if (answer === "died")
      return fail(
        path,
        "the decoder ended without an answer, probably out of memory. Use smaller row groups.",
      );
    return answer;
  };
}

/** Addresses of the packages that decode. */
function packages(path: string) {
  const reader = located("hyparquet");
  if (reader === undefined) fail(path, "Parquet files need the package hyparquet: npm install hyparquet.");
  return { reader, compressors: located("hyparquet-compressors") };
}

/** The address of an optional package; undefined if it is not installed. */
function located(name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
  } catch {
    return undefined;
  }
}
