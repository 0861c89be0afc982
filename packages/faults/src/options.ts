import type { Extent } from "./campaign-runner.ts";

/** Parsed command line. */
export interface Options {
  /** Names of campaigns; empty for all. */
  readonly campaigns: readonly string[];
  readonly extent: Extent;
  readonly json: boolean;
  readonly verbose: boolean;
}

const numbers = ["--seed", "--count", "--minutes", "--only", "--jobs"];

/** Parses the command line. Without a count or minutes a campaign takes `minutes` minutes. */
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
        throw new Error(`${flag} needs a non-negative number, but got ${text ?? "nothing"}. See --help.`);
      given[flag] = Number(text);
    } else if (flag === "--of") of = (inline ?? args[++i] ?? "").split(",");
    else if (flag === "--json") json = true;
    else if (flag === "--verbose") verbose = true;
    else if (known.includes(flag)) campaigns.push(flag);
    else throw new Error(`Unknown campaign or option ${args[i]}. Use ${known.join(", ")}, or see --help.`);
  }
  if (given["--only"] !== undefined && campaigns.length !== 1)
    throw new Error("--only N repeats one trial of one campaign: name the campaign, as in kill --only 7.");
  // The day's seed: other trials every day, but the same for everyone on that day.
  const day = Number(today.toISOString().slice(0, 10).replaceAll("-", ""));
  const { "--seed": seed = day, "--count": count, "--minutes": minutes, "--only": only } = given;
  const seconds = minutes !== undefined ? minutes * 60 : count === undefined ? 180 : undefined;
  return { campaigns, extent: { seed, count, seconds, only, jobs: given["--jobs"] ?? 1, of }, json, verbose };
}
