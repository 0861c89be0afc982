import { didYouMean } from "@reins/core/errors";

/** Well-known Gymnasium environments that are not included: the first words of their names. */
const gymnasium = /^(CarRacing|ALE\/|MiniGrid-|procgen)/i;

/** Hint for an unknown name: other versions, the Gymnasium name, or similar names. */
export function meantEnv(id: string, known: readonly string[]): string {
  const name = nameOf(id).toLowerCase();
  const versions = known
    .filter((k) => nameOf(k).toLowerCase() === name)
    .sort((a, b) => versionOf(a) - versionOf(b));
  if (versions.length) return ` Did you mean ${versions.join(" or ")}?`;
  const asked = /^gym:(.+)/.exec(id)?.[1] ?? (gymnasium.test(id) ? id : undefined);
  if (asked) return ` Gymnasium's own is gymnasium:${asked}, if installed in Python.`;
  return didYouMean(id, known);
}

const nameOf = (id: string) => id.replace(/-v\d+$/, "");
const versionOf = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? 0);
