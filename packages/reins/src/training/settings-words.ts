import type { Assembly } from "./assembly.ts";

/**
 * Where the settings of a run come from, in a few words: those of an agent, what was found for the environment, what models of this size
 * get for any language task, or the defaults, but for what was given.
 */
export function settingsWords(
  from: boolean,
  { tuned, place }: Pick<Assembly, "tuned" | "place">,
  given: readonly string[],
): string {
  const found = place.stage ? "settings for language tasks" : "tuned settings";
  const source = from ? "the agent's settings" : tuned ? found : "default settings";
  return given.length ? `${source} but for ${given.join(", ")}` : source;
}
