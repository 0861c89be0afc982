import { checkEnv, showFinding } from "@reins/envs";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { toggle, whole } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { usageError } from "../cli/usage.ts";
import { steppable } from "../places/source.ts";
import { inkOf, print } from "../terminal/io.ts";

const flags = {
  steps: whole("N", "steps for each seed; use more than the length of an episode (default 250)", 1),
  json: toggle("print the findings as JSON"),
};

/** A note: save() and restore() are optional. */
const unsaved =
  "It has no save() and restore(), which are optional. Without them, runs cannot be resumed exactly (reins train --from continues with the agent), and reins tune retrains promoted trials from the start.";

/** `reins check-env` */
export const command: Command = {
  usage: "check-env <env> [flags]",
  about:
    "Steps an environment with random actions and checks the API contract: spaces, seeding, ends of episodes, and save() and restore() if it has them. The environment is an id, or a file whose default export creates one. The exit code is 1 if there are errors; warnings may be intended.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins check-env CartPole-v1", "a built-in environment"],
    ["reins check-env ./my-env.js", "your own"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "check-env" });
    noMore(words, 1, "check-env");
    const [name = usageError("missing environment. Example: reins check-env ./my-env.js.")] = words;
    const { spec, one, savable } = steppable(await envNamed(name));
    const findings = checkEnv(one, { steps: given.steps });
    const wrong = findings.filter((f) => f.severity === "error").length;
    if (given.json) print(io.out, JSON.stringify(findings));
    else {
      const ink = inkOf(io.out);
      for (const finding of findings) print(io.out, showFinding(finding), "");
      const mark = wrong ? ink.color(5, "✗") : ink.color(2, "✓");
      print(io.out, `${mark} ${spec.id} ${wrong ? "violates the contract" : "passes all checks"}.`);
      if (!savable) print(io.out, `  ${ink.dim(unsaved)}`);
    }
    return wrong ? 1 : 0;
  },
};
