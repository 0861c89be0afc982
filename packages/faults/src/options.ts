import type { Extent } from "./conduct.ts";

/** What was asked for on the command line. */
export interface Options {
  /** Names of campaigns; empty for all. */
  readonly campaigns: readonly string[];
  readonly extent: Extent;
  readonly json: boolean;
  readonly verbose: boolean;
}

const numbers = ["--seed", "--count", "--minutes", "--only", "--jobs"];

/** Reads the command line. Without a count or minutes a campaign takes `minutes` minutes. */
export function readOptions(args: readonly string[], known: readonly string[], today = new Date()): Options {
  const campaigns: string[] = [];
  const given: Record<string, number> = {};
  let [json, verbose] = [false, false];
  let of: readonly string[] | undefined;
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split("=", 2);
    if (numbers.includes(flag)) {
      const text = inline ?? args[++i];
      if (text === undefined || text === "" || !(Number(text) >= 0))
        throw new Error(`${flag} takes a number from 0, but got ${text ?? "nothing"}. See --help.`);
      given[flag] = Number(text);
    } else if (flag === "--of") of = (inline ?? args[++i] ?? "").split(",");
    else if (flag === "--json") json = true;
    else if (flag === "--verbose") verbose = true;
    else if (known.includes(flag)) campaigns.push(flag);
    else
      throw new Error(
        `There is no campaign or option ${args[i]}. There are ${known.join(", ")}; see --help.`,
      );
  }
  if (given["--only"] !== undefined && campaigns.length !== 1)
    throw new Error("--only N repeats one trial of one campaign: name the campaign, as in kill --only 7.");
  // The day's seed: every day other trials, the same for all who try that day.
  const day = Number(today.toISOString().slice(0, 10).replaceAll("-", ""));
  const { "--seed": seed = day, "--count": count, "--minutes": minutes, "--only": only } = given;
  const seconds = minutes !== undefined ? minutes * 60 : count === undefined ? 180 : undefined;
  return { campaigns, extent: { seed, count, seconds, only, jobs: given["--jobs"] ?? 1, of }, json, verbose };
}
