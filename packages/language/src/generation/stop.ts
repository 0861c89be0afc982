import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { Request } from "./sequence.ts";

/** Ends a text as soon as it contains one of the strings, also where a string spans several tokens. */
export function stopAt(strings: readonly string[], tokenizer: Tokenizer): NonNullable<Request["stop"]> {
  const longest = strings.reduce((most, s) => Math.max(most, s.length), 0);
  return (tokens) => {
    // A token has at least one byte and a character at most four bytes, so this many tokens hold the end of any stop
    // string.
    const end = tokenizer.decode(tokens.slice(-4 * longest - 1));
    return strings.some((s) => s.length > 0 && end.includes(s));
  };
}
