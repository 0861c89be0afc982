/** The one of some names that was meant, where letters differ in case only and no other fits; else what was typed. */
export function spelled(typed: string, names: Iterable<string>): string {
  const all = [...names];
  if (all.includes(typed)) return typed;
  const same = all.filter((name) => name.toLowerCase() === typed.toLowerCase());
  return same.length === 1 ? same[0] : typed;
}
