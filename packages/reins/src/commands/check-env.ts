import { checkEnv, showFinding } from "@reins/envs";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { toggle, whole } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { misuse } from "../cli/usage.ts";
import { steppable } from "../places/source.ts";
import { inkOf, print } from "../terminal/io.ts";

const flags = {
  steps: whole("N", "steps to play with each seed: more than an episode has (default 250)", 1),
  json: toggle("print what was found as JSON"),
};

/** A remark, and no fault: it need not be saved. */
const unsaved =
  "It has no save() and restore(), and may do without. It costs: its runs cannot be resumed exactly (reins train --from goes on with the agent), and reins tune trains promoted trials from their start.";

/** `reins check-env` */
export const command: Command = {
  usage: "check-env <env> [flags]",
  about:
    "Plays an environment with random actions and says where it breaks its contract: spaces, seeds, ends of episodes, saving and restoring, where it can be saved. The environment is an id, or a file whose default export makes one. Exit code 1 if there is an error; warnings may be meant.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins check-env CartPole-v1", "one that ships with Reins"],
    ["reins check-env ./my-env.js", "one of your own"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "check-env" });
    noMore(words, 1, "check-env");
    const [name = misuse("which environment? As in reins check-env ./my-env.js.")] = words;
    const { spec, one, savable } = steppable(await envNamed(name));
    const findings = checkEnv(one, { steps: given.steps });
    const wrong = findings.filter((f) => f.severity === "error").length;
    if (given.json) print(io.out, JSON.stringify(findings));
    else {
      const ink = inkOf(io.out);
      for (const finding of findings) print(io.out, showFinding(finding), "");
      const mark = wrong ? ink.color(5, "✗") : ink.color(2, "✓");
      print(io.out, `${mark} ${spec.id} ${wrong ? "breaks its contract" : "keeps its contract"}.`);
      if (!savable) print(io.out, `  ${ink.dim(unsaved)}`);
    }
    return wrong ? 1 : 0;
  },
};
