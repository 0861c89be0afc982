#!/usr/bin/env node
// npm links this file when it installs, which in a fresh workspace is before anything is built.
import { existsSync } from "node:fs";

const built = new URL("../dist/main.js", import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error("reins: not built yet. Type npm run build first.");
  process.exitCode = 1;
}
