import { existsSync, truncateSync } from "node:fs";
import { fail } from "@reins/core";
import { linesOf } from "./lines.ts";

/** An object of a JSON Lines file. */
export type Fields = { readonly [name: string]: unknown };

/** Fields of a reply; those of a prompt with these names are replaced. */
const written = ["completion", "tool_calls", "finish_reason", "tokens", "error", "settings"];

/**
 * Number of replies that an earlier call wrote. Each must belong to its prompt and have the same settings. A reply that
 * was cut off is removed; any other file is left as it is.
 */
export async function writtenReplies(
  out: string,
  settings: string,
  prompts: AsyncIterator<readonly [number: number, fields: Fields]>,
): Promise<number> {
  if (!existsSync(out)) return 0;
  let [count, end] = [0, 0];
  for await (const line of linesOf(out)) {
    // After a reply of this command a torn line is one too.
    if (!line.whole && count > 0) break;
    const at = `${out}:${line.number}`;
    const anew = `Choose another --out, or delete ${out}.`;
    const next = await prompts.next();
    if (next.done) return fail(at, `there are more replies than prompts. ${anew}`);
    if (!line.whole && isBegun(line.bytes, next.value[1])) break;
    if (!line.whole) fail(at, `the line is not the beginning of a reply to prompt ${next.value[0]}. ${anew}`);
    const found = objectIn(line.text, at);
    if (found.settings !== settings)
      fail(at, `it was written with other settings or by another model. ${anew}`);
    for (const [name, value] of Object.entries(next.value[1]))
      if (!written.includes(name) && JSON.stringify(found[name]) !== JSON.stringify(value))
        fail(at, `its ${JSON.stringify(name)} is not that of prompt ${next.value[0]}. ${anew}`);
    count++;
    end = line.end;
  }
  truncateSync(out, end);
  return count;
}

/** Whether a torn line may be the beginning of the reply to a prompt. */
function isBegun(torn: Buffer, prompt: Fields): boolean {
  const entries = Object.entries(prompt);
  const changed = entries.findIndex(([name]) => written.includes(name));
  const same = Object.fromEntries(changed < 0 ? entries : entries.slice(0, changed));
  const start = Buffer.from(changed === 0 ? "{" : `${JSON.stringify(same).slice(0, -1)},`);
  const length = Math.min(torn.length, start.length);
  return torn.subarray(0, length).equals(start.subarray(0, length));
}

/** The object of a line. */
export function objectIn(text: string, at: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    fail(at, `invalid JSON (${(error as Error).message}).`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail(at, "the line is not a JSON object.");
  return value as Fields;
}
