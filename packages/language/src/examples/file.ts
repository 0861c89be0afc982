import { fail } from "@reins/core";
import { type ExampleSource, exampleArray, mapExamples } from "@reins/core/examples";
import { lineFile } from "#node";
import { nestedDeeper } from "../json-depth.ts";
import type { Example } from "./example.ts";
import { exampleIn } from "./format.ts";

/** Maximum nesting depth of a line. */
const deepest = 1000;

/** The value of a line of JSON; throws with its location if it is malformed. */
export function jsonIn(line: string, at: string): unknown {
  if (nestedDeeper(line, deepest))
    fail(at, `the line is nested more than ${deepest} levels deep. Flatten its fields, or remove them.`);
  try {
    return JSON.parse(line);
  } catch (error) {
    return fail(at, `invalid JSON (${(error as Error).message}).`);
  }
}

/** The examples of a file: JSON Lines, or Parquet where the package `hyparquet` is installed. */
export async function openExamples(path: string): Promise<ExampleSource<Example>> {
  return /\.parquet$/i.test(path) ? (await import("./parquet.ts")).parquetExamples(path) : examplesFrom(path);
}

/**
 * The examples of a JSON Lines file, or of an array of parsed lines. A file is streamed: a line is read and checked when it is used. See
 * docs/data.md for the formats.
 */
export function examplesFrom(from: string | readonly object[]): ExampleSource<Example> {
  if (typeof from !== "string") return mapExamples(exampleArray(from), exampleIn);
  return mapExamples(lineFile(from), (line, at) => exampleIn(jsonIn(line, at), at));
}
