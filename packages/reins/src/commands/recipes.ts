import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { misuse } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { recipeFlags } from "./recipes/flags.ts";

const absent = notInstalled("@reins/recipes", "recipes");

/** `reins recipes` */
export const command: Command = {
  usage:
    "recipes [list | show <id> | run <id …> | verify [id …] | judge [id …] | table | missing | refresh] [flags]",
  about: `Published systems beside their baselines. Every side is tuned on as many points of its grid with seeds 50 to 99; the spread that is seen there says how many evaluation seeds are needed; then two blocks of them are run, from 100 on. Each claim is judged by the 95% interval of the paired differences: shown or reversed (at least the smallest effect worth having), negligible (less than it), towards or against (its size is open), undecided, or untestable (nothing was left to gain). Results are in recipes/results, the table of all of them in recipes/README.md, families side by side in recipes/families, earlier forms in recipes/history. Interrupted, run goes on where it was when it is started again. verify runs the first seed of each side again and says whether every number is still the recorded one to the last bit; refresh verifies all, and measures anew what moved. judge judges what is recorded by the rules of today, without a run. How to write a recipe: docs/recipes.md.`,
  groups: () => ({ Flags: recipeFlags }),
  examples: [
    ["reins recipes", "those that are written, with their verdicts"],
    ["reins recipes show cold-rl", "what it claims, how it was measured, what was found"],
    ["reins recipes run d-ppo --quick", "do all sides work? a few seconds"],
    ["reins recipes run d-ppo", "the whole protocol: tunes, evaluates, records"],
    ["reins recipes run cold-rl --another", "one more block of seeds, beside the recorded ones"],
    ["reins recipes verify cold-rl", "does one seed still give the recorded numbers?"],
    ["reins recipes missing --family bandit", "what there is to write"],
  ],
  async run(args, io) {
    const { words, flags } = readArguments(args, recipeFlags, { command: "recipes" });
    const [what = "list", ...ids] = words;
    if (ids.length && ["list", "missing", "table", "refresh"].includes(what))
      misuse(`recipes ${what} takes no ids, and ${ids.join(", ")} was given.`);
    if (flags.another && (flags.quick || flags.because !== undefined))
      misuse("--another adds a block to what is recorded: it goes with neither --quick nor --because.");
    switch (what) {
      case "list":
        return (await import("./recipes/list.ts").catch(absent)).list(flags, io);
      case "missing":
        return (await import("./recipes/list.ts").catch(absent)).missing(flags, io);
      case "show":
        if (ids.length !== 1) misuse("recipes show takes one id, as in reins recipes show cold-rl.");
        return (await import("./recipes/show.ts").catch(absent)).show(ids[0], flags, io);
      case "run":
        if (!ids.length) misuse("recipes run takes ids, as in reins recipes run d-ppo props.");
        return (await import("./recipes/run.ts").catch(absent)).run(ids, flags, io);
      case "verify":
        return (await import("./recipes/verify.ts").catch(absent)).verify(ids, flags, io);
      case "judge":
        if (!flags.because)
          misuse("recipes judge needs a reason that is kept with the old verdicts: --because WORDS.");
        return (await import("./recipes/judge.ts").catch(absent)).judge(ids, flags, io);
      case "refresh":
        return (await import("./recipes/run.ts").catch(absent)).refresh(flags, io);
      case "table":
        return (await import("./recipes/table.ts").catch(absent)).table(flags, io);
      default:
        return misuse(
          `recipes does list, show, run, verify, judge, table, missing and refresh, not "${what}".`,
        );
    }
  },
};
