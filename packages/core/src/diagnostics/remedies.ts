import type { Evidence, Remedy } from "./rule.ts";

/** Directions in which settings are to be changed, by name. */
export type Directions = Map<string, "raise" | "lower">;

/**
 * Remedies as one sentence. Settings that the run lacks, or that cannot be lowered further, are left out, and so are those that
 * `given` says to change the other way; settings named here are added to it.
 */
export function remedyText(
  remedies: readonly Remedy[],
  evidence: Pick<Evidence, "settings" | "options">,
  given: Directions,
): string {
  const texts = remedies.flatMap((remedy) => {
    if (typeof remedy === "string") return [remedy];
    const [name, direction] =
      "raise" in remedy ? ([remedy.raise, "raise"] as const) : ([remedy.lower, "lower"] as const);
    const value = valueOf(name, evidence);
    const fixed = "lower" in remedy && value !== undefined && value <= (remedy.least ?? 0);
    if (!isKnown(name, evidence) || fixed || (given.get(name) ?? direction) !== direction) return [];
    given.set(name, direction);
    return [`${direction} ${name}${value === undefined ? "" : ` (now ${Number(value.toPrecision(3))})`}`];
  });
  if (texts.length === 0) return "read its page: no setting of this run changes it.";
  return `${joined(texts)}.`;
}

const joined = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")}, or ${texts.at(-1)}`;

/** Whether the algorithm has a setting of this name; one without declared options may have any. */
const isKnown = (name: string, { settings, options }: Pick<Evidence, "settings" | "options">) =>
  Object.hasOwn(settings, name) || Object.hasOwn(options, name) || Object.keys(options).length === 0;

function valueOf(name: string, { settings, options }: Pick<Evidence, "settings" | "options">) {
  const value = Object.hasOwn(settings, name) ? settings[name] : options[name];
  return typeof value === "number" ? value : undefined;
}
