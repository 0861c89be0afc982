import { createReadStream } from "node:fs";
import { fail } from "@reins/core";

/** Maximum bytes of a line. */
const longest = 16 * 2 ** 20;

/** A line of a file, and the position after it. */
export interface Line {
  /** Its text; refuses invalid UTF-8. */
  readonly text: string;
  /** Its bytes, without the line break. */
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** Bytes up to its end, with the line break. */
  readonly end: number;
  /** Whether it has a line break. */
  readonly whole: boolean;
}

/** The lines of a UTF-8 file, without reading it whole. Long lines are refused by number. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Buffer[] = [];
  let [size, number, position] = [0, 1, 0];
  const line = (whole: boolean): Line => {
    const bytes = Buffer.concat(parts);
    parts = [];
    size = 0;
    position += bytes.length + (whole ? 1 : 0);
    const at = `${path}:${number}`;
    return {
      get text() {
        try {
          return decoder.decode(bytes);
        } catch {
          return fail(at, "the line is not valid UTF-8. Save the file as UTF-8.");
        }
      },
      ...{ bytes, number, end: position, whole },
    };
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      yield line(true);
      number++;
      from = at + 1;
    }
    size = parts.reduce((sum, p) => sum + p.length, 0) + chunk.length - from;
    if (size > longest) fail(`${path}:${number}`, `the line has more than ${longest} bytes. Split it.`);
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length) yield line(false);
}
