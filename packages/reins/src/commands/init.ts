import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { dependency } from "../cli/dependency.ts";
import { misuse } from "../cli/usage.ts";
import { print } from "../terminal/io.ts";
import { projectFiles } from "./init/project.ts";

/** `reins init` */
export const command: Command = {
  usage: "init <name>",
  about:
    "Makes a folder with a project to begin with: a small environment of your own with its tests, a program that trains an agent in it, measures it and exports it, and what npm and TypeScript need. Change src/env.ts into your environment.",
  groups: () => ({}),
  examples: [["reins init my-agent", "then: cd my-agent && npm install && npm test && npm run train"]],
  async run(args, io) {
    const { words } = readArguments(args, {}, { command: "init" });
    noMore(words, 1, "init");
    const [path = misuse("what is it called? As in reins init my-agent.")] = words;
    const folder = resolve(path);
    const name = basename(folder);
    if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name))
      misuse(
        `${JSON.stringify(name)} is no name for a package: use small letters, digits, - and _, as in my-agent.`,
      );
    checkEmpty(folder, path);
    const reins = dependency();
    const files = projectFiles({ name, reins });
    for (const [file, content] of Object.entries(files)) writeNew(join(folder, file), content);
    print(
      io.out,
      `${path}: ${Object.keys(files).join(", ")}`,
      "",
      `  cd ${path}`,
      "  npm install",
      "  npm test           does the environment keep its contract?",
      "  npm run train      trains, measures, and writes act.js",
      ...(reins.startsWith("file:") ? ["", `Its Reins is the one that wrote it: ${reins}`] : []),
    );
    return 0;
  },
};

/** Refuses a place where something is already. */
function checkEmpty(folder: string, path: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) fail(path, "there is a file of this name. Choose another one.");
  if (readdirSync(folder).length)
    fail(path, "the folder is not empty. Choose another name, or move it away.");
}

/** Writes a file, which must not be there, and its folder. */
function writeNew(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    fail(path, `it cannot be written: ${(error as Error).message}.`);
  }
}
