import type { Tokenizer } from "./tokenizer.ts";

/** Texts that can precede another in a vocabulary; merges seldom cross the first. */
const anchors = ["\n", ".", "a", "0"];

const known = new WeakMap<Tokenizer["encode"], boolean>();

/**
 * Encodes a text that follows others. SentencePiece and some byte-level tokenizers put a blank before each text they
 * encode: inside a longer text, where there is none, it would be learned. `last` is the token before the text.
 */
export function encodeAfter(
  tokenizer: Pick<Tokenizer, "encode" | "bytesOf" | "textOf">,
  last: number | undefined,
  text: string,
): number[] {
  if (last === undefined || text === "" || !addsBlank(tokenizer)) return tokenizer.encode(text);
  const isSpecial = tokenizer.bytesOf(last) === undefined;
  for (const anchor of isSpecial ? [tokenizer.textOf(last)] : anchors) {
    const [before, whole] = [anchor, anchor + text].map((t) => encoded(tokenizer, t));
    if (before.length > 0 && before.every((token, i) => whole[i] === token))
      return whole.slice(before.length);
  }
  return tokenizer.encode(text);
}

/** Whether a tokenizer puts a blank before texts. */
function addsBlank(tokenizer: Pick<Tokenizer, "encode" | "bytesOf">): boolean {
  const { encode } = tokenizer;
  let is = known.get(encode);
  if (is === undefined) known.set(encode, (is = anchors.some((c) => startsBlank(tokenizer, c))));
  return is;
}

function startsBlank(tokenizer: Pick<Tokenizer, "encode" | "bytesOf">, character: string): boolean {
  const [first] = encoded(tokenizer, character);
  try {
    return first !== undefined && tokenizer.bytesOf(first)?.[0] === 0x20;
  } catch {
    // Bytes of tokens are not known for every tokenizer.
    return false;
  }
}

/** The tokens of a text; none if the vocabulary lacks its characters. */
function encoded({ encode }: Pick<Tokenizer, "encode">, text: string): readonly number[] {
  try {
    return encode(text);
  } catch {
    return [];
  }
}
