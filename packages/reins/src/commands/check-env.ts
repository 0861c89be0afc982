import { fail, type VectorEnv } from "@reins/core";
import * as envs from "@reins/envs";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { inkOf, print } from "../cli/io.ts";
import { envNamed } from "../cli/names.ts";
import { misuse } from "../cli/usage.ts";

/** `reins check-env` */
export const command: Command = {
  usage: "check-env <env>",
  about:
    "Tests whether an environment keeps its contract: spaces, seeds, ends of episodes, saving and restoring. The environment is an id, or a file whose default export makes one. Exit code 1 if something is wrong.",
  groups: () => ({}),
  examples: [
    ["reins check-env CartPole-v1", "one that ships with Reins"],
    ["reins check-env ./my-env.js", "one of your own"],
  ],
  async run(args, io) {
    const { words } = readArguments(args, {}, { command: "check-env", open: "env-" });
    noMore(words, 1, "check-env");
    const [name = misuse("which environment? As in reins check-env ./my-env.js.")] = words;
    const { spec, make } = await envNamed(name);
    const check = (envs as { checkEnv?: (make: (rows: number) => VectorEnv) => unknown }).checkEnv;
    if (!check) fail("check-env", "this version of @reins/envs has no checker.");
    check(make);
    print(io.out, `${inkOf(io.out).color(2, "✓")} ${spec.id} keeps its contract.`);
    return 0;
  },
};
