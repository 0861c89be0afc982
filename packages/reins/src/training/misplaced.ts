import { type Algorithm, fail, nearest, said } from "@reins/core";

/** Says where a setting of the algorithm goes that was given beside it; passes over what is none. */
export async function refuseMisplaced(
  options: object,
  algorithm: string | Algorithm | undefined,
  known: readonly string[],
): Promise<void> {
  const strange = Object.entries(options).find(([name]) => !known.includes(name));
  if (!strange) return;
  const [given, value] = strange;
  const settings = await settingsOf(algorithm);
  const [setting] = settings.includes(given) ? [given] : nearest(given, settings, 1);
  // What is near to an option was meant to be one.
  if (setting === undefined || (setting !== given && nearest(given, known).length)) return;
  const name = typeof algorithm === "string" ? algorithm : algorithm?.name;
  const what = setting === given ? `${given} is` : `there is no option ${given}; ${setting} is`;
  const pair = `${setting}: ${said(value)}`;
  fail(
    "train",
    typeof algorithm === "string"
      ? `${what} a setting of ${name}: train({ algorithm: "${name}", settings: { ${pair} }, … }) keeps the others as they were found.`
      : `${what} a setting of ${name}, which is made with its own: give it to the function that makes it, as in ppo({ ${pair} }).`,
  );
}

/** Names of what an algorithm may be told; none of one that nobody knows. */
async function settingsOf(algorithm: string | Algorithm | undefined): Promise<string[]> {
  if (typeof algorithm !== "string") return Object.keys(algorithm?.options ?? {});
  const { algorithms } = await import("../places/algorithms.ts");
  return Object.hasOwn(algorithms, algorithm) ? Object.keys(algorithms[algorithm].definition.options) : [];
}
