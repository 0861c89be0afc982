import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { existsSync, join, readFile, replaceFile } from "#node";
import type { HubConfig } from "./hub-config.ts";

/** Begin, end and padding tokens of a model, for export to other libraries. */
export interface SpecialTokens {
  /** End of an answer. */
  readonly end: number;
  readonly pad?: number;
  /** Beginning of every text, if the model has such a token. */
  readonly begin?: number;
  /** Maximum tokens of an answer. */
  readonly limit?: number;
}

/**
 * Token fields of `config.json`. Written even if unknown: otherwise a family's defaults apply, and token 2 may be a
 * letter.
 */
export function tokenFields(tokens: SpecialTokens | undefined, given: Partial<HubConfig> = {}) {
  const { bos_token_id: begin, eos_token_id: end, pad_token_id: pad } = given;
  return {
    bos_token_id: begin ?? tokens?.begin ?? null,
    eos_token_id: withEnd(end, tokens?.end),
    pad_token_id: pad ?? tokens?.pad ?? null,
  };
}

/** End tokens: the given ones and the model's own. */
function withEnd(given: unknown, end: number | undefined): number | readonly number[] | null {
  const all = [...new Set([...(end === undefined ? [] : [end]), ...[given ?? []].flat()])] as number[];
  return all.length > 1 ? all : (all[0] ?? null);
}

const file = "generation_config.json";

/** Writes `generation_config.json`: the fields of `folder` or `from`, with the end tokens. */
export async function saveGeneration(folder: string, tokens: SpecialTokens, from = folder): Promise<void> {
  const path = join(from, file);
  const known = existsSync(path) ? parse(await readFile(path, "utf8"), path) : {};
  const limit = tokens.limit === undefined ? {} : { max_new_tokens: tokens.limit };
  const text = JSON.stringify({ ...limit, ...known, ...tokenFields(tokens, known) }, null, 2);
  await replaceFile(join(folder, file), `${text}\n`);
}

function parse(text: string, path: string): Partial<HubConfig> {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    return fail(path, `invalid JSON (${(error as Error).message}). Delete the file or restore it.`);
  }
  return typeof config === "object" && config !== null && !Array.isArray(config)
    ? config
    : fail(path, `it has ${describeValue(config)} instead of an object. Delete the file or restore it.`);
}

/** Sampling settings of a `generation_config.json`. */
interface GenerationSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
}

/** Further end tokens and the sampling settings of a folder's `generation_config.json`. Out-of-range settings are left out. */
export async function readGeneration(
  folder: string,
): Promise<{ readonly ends: readonly number[]; readonly sampling: GenerationSettings }> {
  const path = join(folder, file);
  const config: { readonly [field: string]: unknown } = existsSync(path)
    ? parse(await readFile(path, "utf8"), path)
    : {};
  const within = (name: string, low: number, high: number) => {
    const { [name]: value } = config;
    return typeof value === "number" && value >= low && value <= high ? value : undefined;
  };
  const [temperature, topP, topK] = [
    within("temperature", 0.01, 100),
    within("top_p", 0.01, 1),
    within("top_k", 1, 1e6),
  ];
  return {
    ends: [config.eos_token_id ?? []].flat().filter((id): id is number => Number.isSafeInteger(id)),
    sampling: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(topK === undefined ? {} : { topK: Math.floor(topK) }),
    },
  };
}
