import { serveEnv } from "@reins/envs/remote";
import { readAny } from "../cli/algorithm-flags.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { camel } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { usageError } from "../cli/usage.ts";
import { steppable } from "../places/source.ts";

/** `reins serve-env` */
export const command: Command = {
  usage: "serve-env <env> [--env-… flags]",
  about:
    "Serves one environment to another program over standard input and output. `reins_gymnasium.py`, which comes with @reins/envs, uses it to provide Reins environments in Gymnasium.",
  groups: () => ({}),
  examples: [["reins serve-env CartPole-v1", 'used by reins_gymnasium.make("CartPole-v1")']],
  async run(args) {
    const { words, open } = readArguments(args, {}, { command: "serve-env", open: "env-" });
    noMore(words, 1, "serve-env");
    const [name = usageError("missing environment. Example: reins serve-env CartPole-v1.")] = words;
    const options = Object.fromEntries(Object.entries(open).map(([k, v]) => [camel(k), readAny(v)]));
    const env = steppable(await envNamed(name, options)).make(1);
    serveEnv(env, 0, 1);
    return 0;
  },
};
