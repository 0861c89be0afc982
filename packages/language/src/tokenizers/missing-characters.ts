/** Characters that most vocabularies have. */
const common = ["a", "e", "0", "1", "A", "x", "=", ".", "_"];

/**
 * Which characters of a text an encoder would leave out without a word: tokenizers without a token for the unknown do so with all that their
 * vocabulary lacks. `whole` are texts that have a token as they stand, whatever characters they are made of.
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
  // Between others: at the borders of a text blanks may be left out on purpose.
  const dropped = (c: string): boolean => {
    let is = known.get(c);
    if (is === undefined) known.set(c, (is = c !== beside && encode(beside + c + beside).join() === without));
    return is;
  };
  return (text) => [...new Set(special ? text.replace(special, "") : text)].filter(dropped);
}
