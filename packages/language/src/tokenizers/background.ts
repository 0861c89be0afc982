import { fail } from "@reins/core";
import { createRequire } from "#node";
import { threads } from "../sandboxes/threads.ts";

/** Milliseconds after which encoding is given up. */
const milliseconds = 300_000;

/** Runs in the thread, from its text: the library that encodes here encodes there too, so the ids are the same. */
const serve = `(require, { file, json, config }) => {
  const { Tokenizer } = require(file);
  const parsed = new Tokenizer(json, config);
  return (text) => ({ ids: parsed.encode(text, { add_special_tokens: false }).ids });
}`;

/** Encodes texts by a tokenizer.json in threads beside this one, which start with the first text. */
export function backgroundEncoder(json: object, config: object): (text: string) => Promise<number[]> {
  let ask: ((text: string) => Promise<{ ids: number[] } | "timeout" | "died">) | undefined;
  return async (text) => {
    ask ??= threads<string, { ids: number[] }>({
      serve,
      data: { file: createRequire(import.meta.url).resolve("@huggingface/tokenizers"), json, config },
      milliseconds,
    });
    const answer = await ask(text);
    if (answer === "timeout")
      return fail(
        "tokenizer",
        `a text of ${text.length} characters took more than ${milliseconds / 1000} s.`,
      );
    if (answer === "died")
      return fail("tokenizer", `the thread that encoded a text of ${text.length} characters ended.`);
    return answer.ids;
  };
}
