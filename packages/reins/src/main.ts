#!/usr/bin/env node
import { main } from "./cli/main.ts";

// A reader such as `head` may close the pipe before the end; a file may be on a disk that is full.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`reins: the output cannot be written (${error.message}).\n`);
  process.exit(1);
});

const code = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr });
process.exitCode = code;
// What failed may have left something open that would keep the process alive: a file that threw behind a client that it had started.
if (code !== 0) process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
