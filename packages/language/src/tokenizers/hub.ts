import { Tokenizer as Parsed } from "@huggingface/tokenizers";
import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { existsSync, join, readFile } from "#node";
import { limited } from "../time-limit.ts";
import { backgroundEncoder } from "./background.ts";
import { tableSize } from "./ids.ts";
import { droppedBy } from "./missing-characters.ts";
import { spelling } from "./spelling.ts";
import { shrinkage } from "./text-bound.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { refuseSplits } from "./unsupported-splits.ts";

/** Fields of `tokenizer_config.json`; the library reads more. */
interface Config {
  readonly bos_token?: string | { readonly content: string } | null;
  readonly eos_token?: string | { readonly content: string } | null;
  readonly pad_token?: string | { readonly content: string } | null;
  readonly chat_template?: string | null | readonly { readonly name: string; readonly template: string }[];
}

/** A tokenizer from a Hugging Face folder, with its chat template if it has one. */
export interface HubTokenizer extends Tokenizer {
  readonly chatTemplate?: string;
  /** Special tokens by their names in chat templates: `bos_token`, `eos_token`. */
  readonly special: { readonly [name: string]: string };
}

/**
 * Loads `tokenizer.json` and `tokenizer_config.json`. `vocabulary` is the model's vocabulary size, which may be
 * larger.
 */
export async function loadTokenizer(folder: string, vocabulary?: number): Promise<HubTokenizer> {
  const path = join(folder, "tokenizer.json");
  if (!existsSync(path)) fail(folder, "tokenizer.json is missing. Pass a folder that has one.");
  const read = async (file: string) => {
    try {
      return JSON.parse(await readFile(file, "utf8")) as object;
    } catch (error) {
      return fail(file, `invalid JSON (${(error as Error).message}).`);
    }
  };
  const configPath = join(folder, "tokenizer_config.json");
  const config: Config = existsSync(configPath) ? ((await read(configPath)) as Config) : {};
  const templatePath = join(folder, "chat_template.jinja");
  const template = existsSync(templatePath) ? { chat_template: await readFile(templatePath, "utf8") } : {};
  return hubTokenizer(await read(path), { ...config, ...template }, { vocabulary, source: path });
}

/** A tokenizer from the parsed contents of both files. */
export function hubTokenizer(
  json: object,
  config: Config = {},
  options: { vocabulary?: number; source?: string; seconds?: number } = {},
): HubTokenizer {
  const { source = "tokenizer.json", seconds = 60 } = options;
  const size = tableSize(json, source);
  if (options.vocabulary !== undefined && size > options.vocabulary)
    fail(
      source,
      `it has ${size} tokens, but the model's vocabulary is ${options.vocabulary}. Use the model's own tokenizer.`,
    );
  const parsed = parse(json, config, source);
  refuseSplits(json, source);
  const added = parsed.get_added_tokens_decoder();
  const special = new Map([...added].map(([id, t]) => [t.content, id]));
  const nameOf = (token: Config["eos_token"]) => (typeof token === "string" ? token : token?.content);
  const idOf = (token: Config["eos_token"], ...usual: string[]): number | undefined =>
    [nameOf(token), ...usual]
      .map((n) => (n === undefined ? undefined : (special.get(n) ?? parsed.token_to_id(n))))
      .find((id) => id !== undefined);
  const end =
    idOf(config.eos_token, "<|im_end|>", "<|endoftext|>", "</s>", "<|end_of_text|>") ??
    fail(source, "the end token is unknown. Set eos_token in tokenizer_config.json.");
  const first = idOf(config.bos_token);
  const late = (text: string) =>
    fail(
      source,
      `encoding ${text.length} characters took more than ${seconds} s. Simplify its patterns, or shorten the text.`,
    );
  // Patterns can backtrack for years.
  const guarded = hasPatterns(json);
  const idsOf = (text: string, special: boolean) => {
    const work = () => parsed.encode(text, { add_special_tokens: special }).ids;
    return guarded ? limited(seconds * 1000, work, () => late(text)) : work();
  };
  const begins = first !== undefined && idsOf("a", true)[0] === first;
  const names = [
    ["bos_token", nameOf(config.bos_token)],
    ["eos_token", nameOf(config.eos_token)],
  ].filter(([, name]) => name !== undefined);
  const encode = (text: string) => idsOf(text, false);
  const shrink = shrinkage(json, config);
  let dropped: ReturnType<typeof droppedBy> | undefined;
  let spell: ReturnType<typeof spelling> | undefined;
  const encodeInBackground = backgroundEncoder(json, config);
  let longest: { readonly bytes: number | undefined } | undefined;
  /** Rejects a text of which characters would be dropped. */
  const checkWhole = (text: string): void => {
    // A tokenizer with a token for every byte drops nothing.
    if (shrink !== undefined) return;
    dropped ??= droppedBy(
      encode,
      [...added.values()].map((t) => t.content),
    );
    const lost = dropped(text);
    if (lost.length)
      fail(
        source,
        `it has no tokens for ${named(lost)} and would drop them from ${JSON.stringify(text.slice(0, 60))}. Remove them from the texts, or start from a model whose tokenizer has them.`,
      );
  };
  const textOf = (token: number) =>
    parsed.decode([token], { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  const bytesOf = (token: number) => {
    const own = added.get(token);
    if (own) return own.special ? undefined : new TextEncoder().encode(own.content);
    spell ??= spelling(json, source);
    const name = parsed.id_to_token(token);
    return name === undefined ? undefined : spell(name);
  };
  const chatTemplate = templateIn(config);
  return {
    size: options.vocabulary ?? size,
    end,
    specialTokens: [...added.values()].filter((t) => t.special && t.content).map((t) => t.content),
    pad: idOf(config.pad_token, "<pad>", "<|endoftext|>") ?? end,
    encode: (text) => {
      checkWhole(text);
      return encode(text);
    },
    encodeInBackground: (text) => {
      checkWhole(text);
      return encodeInBackground(text);
    },
    longestToken: () => (longest ??= { bytes: shrink && shrink * longestOf(size, bytesOf, textOf) }).bytes,
    decode: (tokens) => {
      const list = [...tokens];
      // The library refuses an empty list.
      return list.length === 0
        ? ""
        : parsed.decode(list, { skip_special_tokens: true, clean_up_tokenization_spaces: false });
    },
    textOf,
    bytesOf,
    special: Object.fromEntries(names),
    ...(begins ? { begin: first } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  };
}

/** The chat template: the only one, or that with the name `default`. */
function templateIn({ chat_template: template }: Config): string | undefined {
  if (typeof template === "string" || template === undefined || template === null)
    return template ?? undefined;
  const isListed = (t: unknown) => typeof (t as { template?: unknown } | null)?.template === "string";
  if (!Array.isArray(template) || !template.every(isListed))
    fail(
      "tokenizer_config.json",
      `chat_template is ${describeValue(template)}; it must be a text, or a list of objects with name and template.`,
    );
  return template.find((t) => t.name === "default")?.template;
}

function parse(json: object, config: Config, source: string): Parsed {
  try {
    return new Parsed(json, config);
  } catch (error) {
    return fail(source, `it is not a supported tokenizer (${(error as Error).message}).`);
  }
}

/** Whether a tokenizer.json has regular expressions of its own. */
const hasPatterns = (json: object): boolean =>
  Object.entries(json).some(
    ([part, value]) =>
      part !== "model" && part !== "added_tokens" && /"Regex":/.test(JSON.stringify(value) ?? ""),
  );

const named = (characters: readonly string[]): string =>
  `${characters
    .slice(0, 12)
    .map((c) => JSON.stringify(c))
    .join(", ")}${characters.length > 12 ? " …" : ""}`;

/** Maximum bytes of a token. */
function longestOf(size: number, bytesOf: Tokenizer["bytesOf"], textOf: Tokenizer["textOf"]): number {
  let most = 0;
  for (let token = 0; token < size; token++)
    most = Math.max(most, (bytesOf(token) ?? new TextEncoder().encode(textOf(token))).length);
  return most;
}
