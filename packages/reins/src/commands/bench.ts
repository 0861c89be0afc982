import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fail } from "@reins/core";
import type { Command } from "../cli/command.ts";

/** The benchmarks of the workspace; they are not published. */
const suite = fileURLToPath(new URL("../../../bench/dist/main.js", import.meta.url));

/** `reins bench` */
export const command: Command = {
  usage: "bench [suite] [flags]",
  about:
    "Runs the benchmarks of Reins and its peers. They are part of the repository and are not published to npm. All arguments are passed to them; `reins bench -- --help` lists their flags.",
  groups: () => ({}),
  examples: [
    ["reins bench tensor", "tensor operations, compared with PyTorch and jax-js"],
    ["reins bench tensor --quick", "a shorter run, about a minute"],
  ],
  async run(args) {
    if (!existsSync(suite))
      fail(
        "bench",
        "the benchmarks are not installed: they are part of the repository. In a checkout, run: npm install && npm run bench -- tensor.",
      );
    const given = args[0] === "--" ? args.slice(1) : args;
    const child = spawn(process.execPath, [suite, ...given], { stdio: "inherit" });
    return new Promise((done, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => done(code ?? 1));
    });
  },
};
