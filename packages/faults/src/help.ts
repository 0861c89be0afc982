import type { Campaign } from "./campaign.ts";

/** The text of `--help`. */
export const help = (campaigns: readonly Campaign[]) => `npm run faults -- [campaign …] [options]

Attacks runs on disk, servers and sandboxes, and checks that nothing is lost or wrong and that every error is clear. Without a
campaign all of them run, three minutes each, and a table is printed. The exit code is 1 on findings.

Campaigns
${campaigns.map((c) => `  ${c.name.padEnd(11)}${wrapped(c.about, 110, 13)}`).join("\n")}

Options
  --seed S      seed of all trials (default: the date, such as 20260131)
  --count N     number of the campaign's faults (${campaigns.map((c) => `${c.name}: ${c.unit}`).join(", ")}) to stop after
  --minutes M   minutes to stop after (default 3, without a count)
  --only N      only this trial of one campaign: repeats a finding
  --of A,B      only these configurations (kill, disk, damage), such as ppo, grpo-words, disk-replay
  --jobs J      concurrent trials (default 1)
  --verbose     describe each trial
  --json        print the results as one JSON array; progress goes to standard error

Examples
  npm run faults                                    every campaign, three minutes each
  npm run faults -- kill --count 500 --seed 7       five hundred kills
  npm run faults -- kill --seed 7 --only 12         repeats trial 12 of those
  npm run faults -- damage disk cache --minutes 10 --json`;

function wrapped(text: string, width: number, indent: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > width - indent) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
