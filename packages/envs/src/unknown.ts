import { didYouMean } from "@reins/core";

/** Environments of Gymnasium's that many have heard of and that are not here: the first words of their names. */
const gymnasium = /^(CarRacing|ALE\/|MiniGrid-|procgen)/i;

/** What to say of a name that no environment has: other versions of it, the name by which Gymnasium's are played, or what is near. */
export function meantEnv(id: string, known: readonly string[]): string {
  const name = nameOf(id).toLowerCase();
  const versions = known
    .filter((k) => nameOf(k).toLowerCase() === name)
    .sort((a, b) => versionOf(a) - versionOf(b));
  if (versions.length) return ` There is ${versions.join(" and ")}.`;
  const asked = /^gym:(.+)/.exec(id)?.[1] ?? (gymnasium.test(id) ? id : undefined);
  if (asked) return ` Gymnasium's own is gymnasium:${asked}, where a Python has it.`;
  return didYouMean(id, known);
}

const nameOf = (id: string) => id.replace(/-v\d+$/, "");
const versionOf = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? 0);
