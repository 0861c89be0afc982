import { fail } from "@reins/core";

/** Ids are places in tables: one that is far above what any vocabulary has is a mistake, and would fill the memory with nothing. */
const most = 2 ** 24;

/** The parts of a tokenizer.json that number tokens. */
interface Numbered {
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly model?: { readonly vocab?: { readonly [token: string]: number } | readonly unknown[] };
}

/** How many tokens a tokenizer.json numbers, the highest id and one. Must be asked before tables are made. */
export function tableSize(json: object, source: string): number {
  const { added_tokens: added = [], model } = json as Numbered;
  let size = 0;
  const count = (token: string, id: unknown) => {
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id >= most)
      fail(
        source,
        `token ${JSON.stringify(token)} has the id ${JSON.stringify(id)}; ids are whole numbers from 0 to ${most - 1}.`,
      );
    size = Math.max(size, id + 1);
  };
  const vocab = model?.vocab ?? {};
  // A list gives tokens their places.
  if (Array.isArray(vocab)) size = vocab.length;
  else for (const [token, id] of Object.entries(vocab)) count(token, id);
  for (const { content, id } of added) count(content, id);
  return size;
}
