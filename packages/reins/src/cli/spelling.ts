/** The name that equals `typed` up to case, if it is unique; otherwise `typed`. */
export function matchCase(typed: string, names: Iterable<string>): string {
  const all = [...names];
  if (all.includes(typed)) return typed;
  const same = all.filter((name) => name.toLowerCase() === typed.toLowerCase());
  return same.length === 1 ? same[0] : typed;
}
