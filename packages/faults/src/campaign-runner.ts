import type { Campaign, Outcome } from "./campaign.ts";
import { randomOf } from "./random.ts";
import type { Scratch } from "./scratch.ts";

/** Length of a campaign. */
export interface Extent {
  readonly seed: number;
  /** Stop after this many counts of the campaign's unit. */
  readonly count?: number;
  /** Stop after this many seconds. */
  readonly seconds?: number;
  /** Run only this trial. */
  readonly only?: number;
  /** Number of concurrent trials. */
  readonly jobs: number;
  /** Only these configurations. */
  readonly of?: readonly string[];
}

/** Results of a campaign. */
export interface Result {
  readonly campaign: string;
  readonly seed: number;
  readonly trials: number;
  readonly seconds: number;
  readonly counts: { readonly [name: string]: number };
  readonly findings: readonly Finding[];
}

/** A failed trial, and the command that repeats it. */
export interface Finding {
  readonly trial: number;
  readonly what: string;
  readonly findings: readonly string[];
  readonly repeat: string;
}

/** Runs trials until the limit is reached. */
export async function runCampaign(
  campaign: Campaign,
  scratch: Scratch,
  { seed, count, seconds, only, jobs, of }: Extent,
  say: { progress(line: string): void; finding(finding: Finding): void; trial?(outcome: Outcome): void },
): Promise<Result> {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  const session = await campaign.open(scratch, { seed, of });
  const counts: Record<string, number> = Object.fromEntries(campaign.columns.map((name) => [name, 0]));
  const findings: Finding[] = [];
  let [next, trials] = [only ?? 0, 0];
  const enough = () =>
    only !== undefined
      ? next > only
      : counts[campaign.unit] >= (count ?? Number.POSITIVE_INFINITY) ||
        passed() >= (seconds ?? Number.POSITIVE_INFINITY);
  const line = () => `${campaign.name}: ${trials} trials, ${countsOf(counts)}, ${findings.length} findings`;
  const work = async () => {
    while (!enough()) {
      const number = next++;
      const outcome = await session
        .trial(number, randomOf(seed, campaign.name, number))
        .catch((error: Error) => ({ what: "the trial itself", counts: {}, findings: [`${error.stack}`] }));
      trials++;
      for (const [name, n] of Object.entries(outcome.counts)) counts[name] = (counts[name] ?? 0) + n;
      say.trial?.(outcome);
      if (outcome.findings.length) {
        const repeat = `npm run faults -- ${campaign.name} --seed ${seed} --only ${number}${of ? ` --of ${of}` : ""}`;
        const finding = { trial: number, what: outcome.what, findings: outcome.findings, repeat };
        findings.push(finding);
        say.finding(finding);
      }
      say.progress(`${line()}, ${Math.round(passed())} s`);
    }
  };
  try {
    await Promise.all(Array.from({ length: only === undefined ? jobs : 1 }, work));
  } finally {
    await session.close?.();
  }
  return { campaign: campaign.name, seed, trials, seconds: passed(), counts, findings };
}

/** Counters in one line. */
export const countsOf = (counts: { readonly [name: string]: number }) =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ");
