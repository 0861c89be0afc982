import type { Command } from "../cli/command.ts";
import { usageError } from "../cli/usage.ts";
import { flags } from "./data/flags.ts";

const parts = { check: () => import("./data/check.ts") };

/** `reins data` */
export const command: Command = {
  usage: "data check <file.jsonl>… [flags]",
  about: `Checks files of examples for training: their formats, the lines that cannot be used and why, duplicates within and between splits, and three examples. With --model also the lengths in tokens, and the examples as the chat template renders them, with the learned tokens marked.
Several files are checked as one dataset; duplicates between files are counted as duplicates between splits. See docs/data.md for the formats.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins data check examples.jsonl", "formats, faulty lines, duplicates"],
    ["reins data check train.jsonl test.jsonl --model ./model", "also lengths in tokens and the loss mask"],
  ],
  async run([name = "", ...rest], io) {
    if (!Object.hasOwn(parts, name))
      usageError(`reins data has one command: check. Example: reins data check examples.jsonl.`);
    const { check } = await parts[name as "check"]();
    return check(rest, io);
  },
};
