import { fail } from "@reins/core";

/** Maximum id. Ids index tables: one far above any vocabulary size is an error and would exhaust memory. */
const most = 2 ** 24;

/** The parts of a tokenizer.json that number tokens. */
interface Numbered {
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly model?: { readonly vocab?: { readonly [token: string]: number } | readonly unknown[] };
}

/** Table size of a tokenizer.json: its highest id plus one. Call it before allocating tables. */
export function tableSize(json: object, source: string): number {
  const { added_tokens: added = [], model } = json as Numbered;
  let size = 0;
  const count = (token: string, id: unknown) => {
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id >= most)
      fail(
        source,
        `token ${JSON.stringify(token)} has the id ${JSON.stringify(id)}; ids must be integers from 0 to ${most - 1}.`,
      );
    size = Math.max(size, id + 1);
  };
  const vocab = model?.vocab ?? {};
  // In a list, positions are the ids.
  if (Array.isArray(vocab)) size = vocab.length;
  else for (const [token, id] of Object.entries(vocab)) count(token, id);
  for (const { content, id } of added) count(content, id);
  return size;
}
