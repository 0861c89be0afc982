import { type Algorithm, fail } from "@reins/core";
import { closestNames, describeValue } from "@reins/core/errors";

/** Refuses settings of the algorithm that were passed as options of `train`, and says where they go; ignores other names. */
export async function refuseMisplaced(
  options: object,
  algorithm: string | Algorithm | undefined,
  known: readonly string[],
): Promise<void> {
  const strange = Object.entries(options).find(([name]) => !known.includes(name));
  if (!strange) return;
  const [given, value] = strange;
  const settings = await settingsOf(algorithm);
  const [setting] = settings.includes(given) ? [given] : closestNames(given, settings, 1);
  // A name close to an option is treated as a typo of that option.
  if (setting === undefined || (setting !== given && closestNames(given, known).length)) return;
  const name = typeof algorithm === "string" ? algorithm : algorithm?.name;
  const what = setting === given ? `${given} is` : `there is no option ${given}; ${setting} is`;
  const pair = `${setting}: ${describeValue(value)}`;
  fail(
    "train",
    typeof algorithm === "string"
      ? `${what} a setting of ${name}: train({ algorithm: "${name}", settings: { ${pair} }, … }) keeps the other tuned settings.`
      : `${what} a setting of ${name}. Pass it where the algorithm is created: ppo({ ${pair} }).`,
  );
}

/** Names of an algorithm's options; none if the algorithm is unknown. */
async function settingsOf(algorithm: string | Algorithm | undefined): Promise<string[]> {
  if (typeof algorithm !== "string") return Object.keys(algorithm?.options ?? {});
  const { algorithms } = await import("../places/algorithms.ts");
  return Object.hasOwn(algorithms, algorithm) ? Object.keys(algorithms[algorithm].definition.options) : [];
}
