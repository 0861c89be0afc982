import type { Campaign } from "./campaign.ts";

/** What `--help` prints. */
export const help = (campaigns: readonly Campaign[]) => `npm run faults -- [campaign …] [options]

Attacks runs on disk and looks whether anything is lost, wrong, or said badly. Without a campaign all of them run, three minutes each,
and a table is printed. The exit code is 1 if something was found.

Campaigns
${campaigns.map((c) => `  ${c.name.padEnd(11)}${wrapped(c.about, 110, 13)}`).join("\n")}

Options
  --seed S      every trial follows from it and its number (default: the day's, as 20260131)
  --count N     until the campaign's faults (${campaigns.map((c) => `${c.name}: ${c.unit}`).join(", ")}) are so many
  --minutes M   or so long (default 3, if there is no count)
  --only N      only this trial of one campaign: repeats what was found
  --of A,B      only these configurations (kill, disk, damage), such as ppo, grpo-words, disk-replay
  --jobs J      trials at the same time (default 1)
  --verbose     say what each trial does
  --json        print the results as one JSON array; progress goes to the standard error

Examples
  npm run faults                                    every campaign, three minutes each
  npm run faults -- kill --count 500 --seed 7       five hundred kills
  npm run faults -- kill --seed 7 --only 12         trial 12 of those again
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
