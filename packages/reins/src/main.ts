#!/usr/bin/env node
import { main } from "./cli/main.ts";

// A reader such as `head` may close the pipe before the end; a file may be on a disk that is full.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`reins: the output cannot be written (${error.message}).\n`);
  process.exit(1);
});

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr });
