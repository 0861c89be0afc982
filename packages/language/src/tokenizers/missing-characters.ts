/** Characters in most vocabularies. */
const common = ["a", "e", "0", "1", "A", "x", "=", ".", "_"];

/**
 * Characters of a text that an encoder silently drops: tokenizers without an unknown token drop all characters
 * outside their vocabulary. `whole` are texts that are a single token, whatever their characters.
 */
export function droppedBy(
  encode: (text: string) => readonly number[],
  whole: readonly string[],
): (text: string) => string[] {
  const names = [...whole]
    .sort((a, b) => b.length - a.length)
    .map((t) => t.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const special = names.length ? new RegExp(names.join("|"), "gu") : undefined;
  const beside = common.find((c) => encode(c).length > 0) ?? "";
  const without = encode(beside + beside).join();
  const known = new Map<string, boolean>();
  // Between other characters: blanks at the borders of a text may be dropped on purpose.
  const dropped = (c: string): boolean => {
    let is = known.get(c);
    if (is === undefined) known.set(c, (is = c !== beside && encode(beside + c + beside).join() === without));
    return is;
  };
  return (text) => [...new Set(special ? text.replace(special, "") : text)].filter(dropped);
}
