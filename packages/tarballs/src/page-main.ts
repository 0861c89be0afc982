import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { builtPage, isOutdated, pageInputs } from "./outdated.ts";
import { root } from "./workspace.ts";

/** Builds the studio's page unless it is newer than everything it is built from. */
if (isOutdated(builtPage, pageInputs)) {
  const web = join(root, "packages/studio/web");
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  run("node_modules/typescript/bin/tsc", "-p", web);
  run("node_modules/vite/bin/vite.js", "build", web, "--logLevel", "warn");
}
