import { fail } from "@reins/core";
import type { Tokenizer } from "./tokenizer.ts";

/** One token per character, for tiny models: padding, end, then the characters of `alphabet` in order. */
export function characters(alphabet: string): Tokenizer {
  const letters = [...new Set(alphabet)];
  const spelled = letters.map((c) => new TextEncoder().encode(c));
  const ids = new Map(letters.map((c, i) => [c, i + 2]));
  return {
    size: letters.length + 2,
    pad: 0,
    end: 1,
    encode(text) {
      const tokens: number[] = [];
      for (const c of text) {
        const token = ids.get(c);
        if (token === undefined)
          fail(
            "characters",
            `${JSON.stringify(c)} is not in the alphabet ${JSON.stringify(letters.join(""))}.`,
          );
        tokens.push(token);
      }
      return tokens;
    },
    longestToken: () => Math.max(...spelled.map((own) => own.length)),
    decode(tokens) {
      let text = "";
      for (const token of tokens) text += letters[token - 2] ?? "";
      return text;
    },
    textOf: (token) => letters[token - 2] ?? "",
    bytesOf: (token) => spelled[token - 2],
  };
}
