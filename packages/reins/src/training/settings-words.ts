import type { Assembly } from "./assembly.ts";

/**
 * Describes where the settings of a run come from: the agent, tuned settings for the environment, settings for
 * language tasks by model size, or the defaults, and which were overridden.
 */
export function describeSettings(
  from: boolean,
  { tuned, place }: Pick<Assembly, "tuned" | "place">,
  given: readonly string[],
): string {
  const found = place.stage ? "settings for language tasks" : "tuned settings";
  const source = from ? "the agent's settings" : tuned ? found : "default settings";
  return given.length ? `${source} except ${given.join(", ")}` : source;
}
