#!/usr/bin/env node
import { fuzz } from "./fuzz.ts";
import { help, readOptions } from "./options.ts";

try {
  if (process.argv.includes("--help")) process.stdout.write(`${help}\n`);
  else {
    const summary = await fuzz(readOptions(process.argv.slice(2)), (line) =>
      process.stderr.write(`${line}\n`),
    );
    if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(summary)}\n`);
    process.exitCode = summary.findings.length ? 1 : 0;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
