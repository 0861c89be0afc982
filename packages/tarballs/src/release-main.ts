#!/usr/bin/env node
import { parseArgs } from "node:util";
import { release } from "./release.ts";
import { root } from "./workspace.ts";

const help = `npm run release -- 0.2.0             sets versions, packs, checks, commits and tags; publishes nothing
npm run release -- 0.2.0 --dry-run   prints the steps and changes nothing`;

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help || positionals.length !== 1) {
    print(help);
    process.exitCode = values.help ? 0 : 2;
  } else {
    const date = new Date().toISOString().slice(0, 10);
    await release({ at: root, version: positionals[0], date, dryRun: values["dry-run"], print });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
