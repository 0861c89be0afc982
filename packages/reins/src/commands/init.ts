import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { dependency } from "../cli/dependency.ts";
import { usageError } from "../cli/usage.ts";
import { print } from "../terminal/io.ts";
import { projectFiles } from "./init/project.ts";

/** `reins init` */
export const command: Command = {
  usage: "init <name>",
  about:
    "Creates a new project in a folder: a small environment with tests, a program that trains, evaluates and exports an agent, and the configuration of npm and TypeScript. Replace src/env.ts with your own environment.",
  groups: () => ({}),
  examples: [["reins init my-agent", "then: cd my-agent && npm install && npm test && npm run train"]],
  async run(args, io) {
    const { words } = readArguments(args, {}, { command: "init" });
    noMore(words, 1, "init");
    const [path = usageError("missing project name. Example: reins init my-agent.")] = words;
    const folder = resolve(path);
    const name = basename(folder);
    if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name))
      usageError(
        `${JSON.stringify(name)} is not a valid package name. Use lower-case letters, digits, - and _, for example my-agent.`,
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
      "  npm test           checks the environment",
      "  npm run train      trains, evaluates, and writes act.js",
      ...(reins.startsWith("file:") ? ["", `It depends on this copy of Reins: ${reins}`] : []),
    );
    return 0;
  },
};

/** Throws if the path is a file or a folder with files. */
function checkEmpty(folder: string, path: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) fail(path, "a file of this name exists. Choose another name.");
  if (readdirSync(folder).length)
    fail(path, "the folder is not empty. Choose another name, or move the folder.");
}

/** Writes a new file and its folder. */
function writeNew(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    fail(path, `writing failed: ${(error as Error).message}.`);
  }
}
