import type { RunDetail } from "@reins/studio/wire";
import { runSettings, settingText } from "@reins/studio/wire";
import { exact } from "../../format.ts";
import { typedForEnv, typedIn } from "../run/setting-rows.ts";

/** Maximum number of settings in a name, and of characters of a value. */
const mostTyped = 3;
const longest = 40;

/** The settings of a run by name, as text. */
export function settingsOf({ config }: Pick<RunDetail, "config">): ReadonlyMap<string, string> {
  const text = (name: string, value: unknown) =>
    name === "steps" && typeof value === "number" ? exact(value) : settingText(value);
  return new Map([...runSettings(config)].map(([name, value]) => [name, text(name, value)]));
}

/** Names of the settings that the command of a run sets, with the files of its environment and algorithm. */
export function typedSettings({ config, algorithm }: RunDetail): string[] {
  const all = runSettings(config);
  const own = [...typedIn(config.command, algorithm)].map((name) =>
    all.has(`options.${name}`) ? `options.${name}` : name,
  );
  const env = [...typedForEnv(config.command)].map((name) => `env.${name}`);
  const steps = / --steps\b/.test(String(config.command)) ? ["steps"] : [];
  return [...steps, "envFile", "algorithmFile", ...own, ...env].filter((name) => all.has(name));
}

/**
 * Short names of groups of runs: the algorithm and the environment where they differ, and the settings that the user set and that differ. Other settings
 * appear only where the names would be the same without them.
 */
export function namesOf(groups: readonly (readonly RunDetail[])[]): string[] {
  const settings = groups.map(([run]) => settingsOf(run));
  const differ = [...new Set(settings.flatMap((one) => [...one.keys()]))].filter(
    (name) => name !== "seed" && new Set(settings.map((one) => one.get(name))).size > 1,
  );
  const typed = new Set(groups.flatMap(([run]) => typedSettings(run)));
  const what: readonly string[] = differ.filter((name) => ["algorithm", "env"].includes(name));
  const set = differ.filter((name) => typed.has(name) && !what.includes(name));
  const others = differ.filter((name) => !what.includes(name) && !typed.has(name));
  let chosen: readonly string[] = set.length <= mostTyped ? [...what, ...set] : what;
  for (const pool of [set, others]) chosen = telling(settings, chosen, pool);
  const labels = settings.map((one) => labelOf(one, chosen));
  return labels.map((label, i) => {
    const before = labels.slice(0, i).filter((other) => other === label).length;
    const name = label || `${groups[i][0].algorithm} on ${groups[i][0].env}`;
    return before > 0 ? `${name} (${before + 1})` : name;
  });
}

/** Adds settings until all groups differ, each time the one that separates most groups. */
function telling(
  settings: readonly ReadonlyMap<string, string>[],
  chosen: readonly string[],
  pool: readonly string[],
): readonly string[] {
  const count = (names: readonly string[]) => new Set(settings.map((one) => labelOf(one, names))).size;
  let [found, apart] = [chosen, count(chosen)];
  while (apart < settings.length) {
    const counts = pool.map((name) => count([...found, name]));
    const best = Math.max(0, ...counts);
    if (best <= apart) break;
    found = [...found, pool[counts.indexOf(best)]];
    apart = best;
  }
  return found;
}

/** Settings that a run lacks are left out. */
const labelOf = (settings: ReadonlyMap<string, string>, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const value = settings.get(name);
      if (value === undefined) return [];
      const text = value.length > longest ? `${value.slice(0, longest)}…` : value;
      return name === "algorithm" || name === "env" ? text : `${name}=${text}`;
    })
    .join(", ");
