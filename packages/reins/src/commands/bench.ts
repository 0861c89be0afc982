import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fail } from "@reins/core";
import type { Command } from "../cli/command.ts";

/** The measurements of the workspace; they are not published. */
const suite = fileURLToPath(new URL("../../../bench/dist/main.js", import.meta.url));

/** `reins bench` */
export const command: Command = {
  usage: "bench [suite] [flags]",
  about:
    "Measures the speed of Reins beside its peers. The measurements belong to the workspace and are not published: outside of it this command only says where to find them. All words and flags go to them; `reins bench -- --help` lists theirs.",
  groups: () => ({}),
  examples: [
    ["reins bench tensor", "tensor operations beside PyTorch and jax-js"],
    ["reins bench tensor --quick", "in a minute"],
  ],
  async run(args) {
    if (!existsSync(suite))
      fail(
        "bench",
        "the measurements are not here: they belong to the workspace. Get it, then: npm install && npm run bench -- tensor.",
      );
    const given = args[0] === "--" ? args.slice(1) : args;
    const child = spawn(process.execPath, [suite, ...given], { stdio: "inherit" });
    return new Promise((done, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => done(code ?? 1));
    });
  },
};
