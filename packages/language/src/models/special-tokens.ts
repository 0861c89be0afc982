import { fail } from "@reins/core";
import { existsSync, join, readFile, replaceFile } from "#node";
import type { HubConfig } from "./hub-config.ts";

/** The tokens that a model's texts begin, end and are filled up with: what other libraries must know to write as it does. */
export interface SpecialTokens {
  /** Ends an answer. */
  readonly end: number;
  readonly pad?: number;
  /** Stands before every text, where there is such a token. */
  readonly begin?: number;
  /** Most tokens of an answer. */
  readonly limit?: number;
}

/** The fields of `config.json`. Written also where nothing is known: left out, a family's own numbers would be taken, and 2 may be a letter. */
export function tokenFields(tokens: SpecialTokens | undefined, given: Partial<HubConfig> = {}) {
  const { bos_token_id: begin, eos_token_id: end, pad_token_id: pad } = given;
  return {
    bos_token_id: begin ?? tokens?.begin ?? null,
    eos_token_id: withEnd(end, tokens?.end),
    pad_token_id: pad ?? tokens?.pad ?? null,
  };
}

/** What ends a text: the given tokens, and the model's own among them. */
function withEnd(given: unknown, end: number | undefined): number | readonly number[] | null {
  const all = [...new Set([...(end === undefined ? [] : [end]), ...[given ?? []].flat()])] as number[];
  return all.length > 1 ? all : (all[0] ?? null);
}

const file = "generation_config.json";

/** Writes how the model's answers are generated: what `folder` or `from` says already, with the tokens that end them. */
export async function saveGeneration(folder: string, tokens: SpecialTokens, from = folder): Promise<void> {
  const path = join(from, file);
  const known = existsSync(path) ? parse(await readFile(path, "utf8"), path) : {};
  const limit = tokens.limit === undefined ? {} : { max_new_tokens: tokens.limit };
  const text = JSON.stringify({ ...limit, ...known, ...tokenFields(tokens, known) }, null, 2);
  await replaceFile(join(folder, file), `${text}\n`);
}

function parse(text: string, path: string): Partial<HubConfig> {
  try {
    return JSON.parse(text) as Partial<HubConfig>;
  } catch (error) {
    return fail(path, `it is not JSON (${(error as Error).message}). Delete it or put a copy of it back.`);
  }
}
