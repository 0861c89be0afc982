import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { Request } from "./sequence.ts";

/** Ends a text as soon as one of the strings is in it, also where a string is spread over several tokens. */
export function stopAt(strings: readonly string[], tokenizer: Tokenizer): NonNullable<Request["stop"]> {
  const longest = strings.reduce((most, s) => Math.max(most, s.length), 0);
  return (tokens) => {
    // A token has at least a byte, and a character at most four: no more of them can hold the end of a string.
    const end = tokenizer.decode(tokens.slice(-4 * longest - 1));
    return strings.some((s) => s.length > 0 && end.includes(s));
  };
}
