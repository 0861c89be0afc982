#!/usr/bin/env node
import { countsOf, type Result, runCampaign } from "./campaign-runner.ts";
import { campaigns } from "./campaigns.ts";
import { help } from "./help.ts";
import { readOptions } from "./options.ts";
import { scratch } from "./scratch.ts";
import { table } from "./table.ts";

// Without these, scratch folders and children would outlive the program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

const print = (text: string) => process.stdout.write(`${text}\n`);

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    print(help(campaigns));
    return 0;
  }
  const {
    campaigns: names,
    extent,
    json,
    verbose,
  } = readOptions(
    args,
    campaigns.map((c) => c.name),
  );
  const say = (line: string) => process.stderr.write(`${line}\n`);
  let reported = 0;
  const results: Result[] = [];
  for (const campaign of campaigns.filter((c) => !names.length || names.includes(c.name))) {
    const folder = scratch();
    const result = await runCampaign(campaign, folder, extent, {
      progress(line) {
        if (performance.now() - reported < 5000) return;
        reported = performance.now();
        say(line);
      },
      finding: ({ trial, what, findings }) =>
        say(`FOUND in trial ${trial}: ${what}\n${findings.map((f) => `  ${f}`).join("\n")}`),
      trial: verbose ? ({ what }) => say(what) : undefined,
    });
    folder.close();
    results.push(result);
    for (const f of result.findings) say(`again: ${f.repeat}`);
    say(
      `${campaign.name}: ${result.trials} trials in ${Math.round(result.seconds)} s, ${countsOf(result.counts)}, ${result.findings.length} findings`,
    );
  }
  if (json) print(JSON.stringify(results));
  else print(table(results));
  return results.some((r) => r.findings.length) ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
