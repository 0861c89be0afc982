import { fail } from "@reins/core";
import { createRequire } from "#node";
import { threads } from "../threads.ts";

/** Timeout of encoding in milliseconds. */
const milliseconds = 300_000;

/** Source of the worker thread: it uses the same library, so the ids are the same. */
const serve = `(require, { file, json, config }) => {
  const { Tokenizer } = require(file);
  const parsed = new Tokenizer(json, config);
  return (text) => ({ ids: parsed.encode(text, { add_special_tokens: false }).ids });
}`;

/** Encodes texts with a tokenizer.json in worker threads, which start with the first text. */
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
        `encoding ${text.length} characters took more than ${milliseconds / 1000} s. Shorten the text.`,
      );
    if (answer === "died")
      return fail("tokenizer", `the worker thread exited while encoding ${text.length} characters.`);
    return answer.ids;
  };
}
