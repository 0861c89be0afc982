#!/usr/bin/env node
import { main } from "./cli/main.ts";

// A reader such as `head` may close the pipe before the end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr });
