import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { misuse } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { recipeFlags } from "./recipes/flags.ts";

const absent = notInstalled("@reins/recipes", "recipes");

/** `reins recipes` */
export const command: Command = {
  usage: "recipes [list | show <id> | run <id …> | verify [id …] | table | missing | refresh] [flags]",
  about: `Published systems beside their baselines. Both sides are tuned on the same grid with seeds below 100 and compared with seeds from 100 on; the paired difference and its 95 % interval decide: shown or reversed (at least the smallest effect worth having), negligible (less than it), towards or against (its size is open), or undecided. Results are in recipes/results, the table of all of them in recipes/README.md. Interrupted, run goes on where it was when it is started again. A result whose code has changed since is stale; refresh runs those again. verify runs one evaluation seed of both sides again and says whether the numbers are still the recorded ones to the last bit; what it found is kept in recipes/verified.json. How to write a recipe: docs/recipes.md.`,
  groups: () => ({ Flags: recipeFlags }),
  examples: [
    ["reins recipes", "those that are written, with their verdicts"],
    ["reins recipes show d-ppo", "what it claims, how it was measured, every seed"],
    ["reins recipes run d-ppo --quick", "do both sides work? a few seconds"],
    ["reins recipes run d-ppo", "the whole protocol: tunes, evaluates, records"],
    ["reins recipes run d-ppo --first-seed 200", "the same with other seeds, beside the recorded result"],
    ["reins recipes verify d-ppo", "does one seed still give the recorded numbers?"],
    ["reins recipes missing --family bandit", "what there is to write"],
  ],
  async run(args, io) {
    const { words, flags } = readArguments(args, recipeFlags, { command: "recipes" });
    const [what = "list", ...ids] = words;
    switch (what) {
      case "list":
        return (await import("./recipes/list.ts").catch(absent)).list(flags, io);
      case "missing":
        return (await import("./recipes/list.ts").catch(absent)).missing(flags, io);
      case "show":
        if (ids.length !== 1) misuse("recipes show takes one id, as in reins recipes show d-ppo.");
        return (await import("./recipes/show.ts").catch(absent)).show(ids[0], flags, io);
      case "run":
        if (!ids.length) misuse("recipes run takes ids, as in reins recipes run d-ppo props.");
        return (await import("./recipes/run.ts").catch(absent)).run(ids, flags, io);
      case "verify":
        return (await import("./recipes/verify.ts").catch(absent)).verify(ids, flags, io);
      case "refresh":
        return (await import("./recipes/run.ts").catch(absent)).refresh(flags, io);
      case "table":
        return (await import("./recipes/run.ts").catch(absent)).table(flags, io);
      default:
        return misuse(`recipes does list, show, run, verify, table, missing and refresh, not "${what}".`);
    }
  },
};
