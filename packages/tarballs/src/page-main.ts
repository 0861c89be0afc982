import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { builtPage, isOutdated, pageInputs, pageRoot } from "./build-age.ts";
import { root } from "./workspace.ts";

/** Checks and builds the studio's page unless it is newer than everything it is built from. */
if (isOutdated(builtPage, pageInputs)) {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  for (const project of [pageRoot, join(pageRoot, "tests")])
    run("node_modules/typescript/bin/tsc", "-p", project);
  run("node_modules/vite/bin/vite.js", "build", pageRoot, "--logLevel", "warn");
}
