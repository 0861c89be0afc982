#!/usr/bin/env node
// npm links this file when it installs, which in a fresh workspace is before anything is built.
import { existsSync } from "node:fs";
import module from "node:module";

const built = new URL("../dist/packed/main.js", import.meta.url);
// Newer versions of Node keep what they have compiled: it starts sooner.
module.enableCompileCache?.();
if (existsSync(built)) await import(built.href);
else {
  console.error("reins: not built yet. Type npm run build first.");
  process.exitCode = 1;
}
