#!/usr/bin/env node
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check } from "./check.ts";
import { install } from "./install.ts";
import { packingFolder } from "./packing-folder.ts";
import { sweep } from "./sweep.ts";
import { pack } from "./tarball.ts";
import { published, root } from "./workspace.ts";

const help = `npm run tarballs                   packs the published packages and checks them; exit status 1 on findings
npm run tarballs -- install        installs them into an empty folder, checks types and runs each package's program

  --typescript V    a version that checks the types, as in 5.9; can be repeated (5.7)
  --runtime "C"     a command that runs a file, as in "npx -y node@22"; can be repeated (node)
  --keep DIR        packs into this folder and keeps the tarballs; npm install DIR/*.tgz installs them`;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      typescript: { type: "string", multiple: true, default: ["5.7"] },
      runtime: { type: "string", multiple: true, default: ["node"] },
      keep: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command = "check"] = positionals;
  if (values.help || positionals.length > 1 || !["check", "install"].includes(command)) {
    print(help);
    return values.help ? 0 : 2;
  }
  const packages = published();
  const swept = packages.reduce((count, p) => count + sweep(root + p.folder), 0);
  if (swept) print(`${swept} stale files of earlier builds were deleted from dist.`);
  const { folder, close } = packingFolder(values.keep);
  try {
    const tarballs = await pack(packages, folder);
    if (command === "check") return (await check(tarballs, print)) ? 1 : 0;
    const app = join(folder, "app");
    mkdirSync(app, { recursive: true });
    return install(tarballs, app, { typescript: values.typescript, runtimes: values.runtime }, print) ? 1 : 0;
  } finally {
    if (values.keep !== undefined) print(`kept in ${folder}`);
    close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
