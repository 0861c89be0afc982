#!/usr/bin/env node
import { main } from "./cli/main.ts";

// A reader such as `head` may close the pipe early; a disk may be full.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`reins: the output cannot be written (${error.message}).\n`);
  process.exit(1);
});

const code = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr });
process.exitCode = code;
// A failed command may leave something open that keeps the process alive, such as the client of a file that threw later.
if (code !== 0) process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
