/** Where the settings of a run come from, in a few words: those of an agent, what was found, or the defaults, but for what was given. */
export function settingsWords(
  { from, tuned }: { readonly from: boolean; readonly tuned: boolean },
  given: readonly string[],
): string {
  const source = from ? "the agent's settings" : tuned ? "tuned settings" : "default settings";
  return given.length ? `${source} but for ${given.join(", ")}` : source;
}
