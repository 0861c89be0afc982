import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { usageError } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { recipeFlags } from "./recipes/flags.ts";

const absent = notInstalled("@reins/recipes", "recipes");

/** `reins recipes` */
export const command: Command = {
  usage:
    "recipes [list | show <id> | run <id …> | verify [id …] | judge [id …] | table | missing | refresh] [flags]",
  about: `Compares published methods with their baselines. All arms are tuned on the same number of grid points with seeds 50 to 99; the variance there determines the number of evaluation seeds; then two blocks of them are run, from seed 100. Each claim is judged by the 95% confidence interval of the paired differences: shown or reversed (at least the smallest effect of interest), negligible (smaller), towards or against (uncertain size), undecided, or untestable (no room for improvement). Results are in recipes/results, the table of all results in recipes/README.md, comparisons by family in recipes/families, earlier versions in recipes/history. An interrupted run continues when it is started again. verify reruns the first seed of each arm and checks that every number equals the recorded one bit for bit; refresh verifies all recipes and measures those again that changed. judge applies the current rules to the recorded results, without running anything. How to write a recipe: docs/recipes.md.`,
  groups: () => ({ Flags: recipeFlags }),
  examples: [
    ["reins recipes", "list the recipes and their verdicts"],
    ["reins recipes show cold-rl", "its claims, protocol and results"],
    ["reins recipes run d-ppo --quick", "test that all arms run, in a few seconds"],
    ["reins recipes run d-ppo", "the whole protocol: tune, evaluate, record"],
    ["reins recipes run --testbed sums", "a testbed, then all recipes on it: they share its tuned baselines"],
    ["reins recipes run cold-rl --another", "add a block of seeds"],
    ["reins recipes verify cold-rl", "check that one seed reproduces the recorded numbers"],
    ["reins recipes missing --family bandit", "methods without a recipe"],
  ],
  async run(args, io) {
    const { words, flags } = readArguments(args, recipeFlags, { command: "recipes" });
    const [what = "list", ...ids] = words;
    if (ids.length && ["list", "missing", "table", "refresh"].includes(what))
      usageError(`recipes ${what} takes no ids. Leave out ${ids.join(", ")}.`);
    if (flags.another && (flags.quick || flags.because !== undefined))
      usageError(
        "--another adds a block to a recorded result and cannot be combined with --quick or --because.",
      );
    switch (what) {
      case "list":
        return (await import("./recipes/list.ts").catch(absent)).list(flags, io);
      case "missing":
        return (await import("./recipes/list.ts").catch(absent)).missing(flags, io);
      case "show":
        if (ids.length !== 1) usageError("recipes show takes one id. Example: reins recipes show cold-rl.");
        return (await import("./recipes/show.ts").catch(absent)).show(ids[0], flags, io);
      case "run":
        if (flags.testbed !== undefined) {
          if (ids.length) usageError(`--testbed runs all recipes of a testbed. Leave out ${ids.join(", ")}.`);
          return (await import("./recipes/run.ts").catch(absent)).runTestbed(flags.testbed, flags, io);
        }
        if (!ids.length) usageError("recipes run needs ids. Example: reins recipes run d-ppo props.");
        return (await import("./recipes/run.ts").catch(absent)).run(ids, flags, io);
      case "verify":
        return (await import("./recipes/verify.ts").catch(absent)).verify(ids, flags, io);
      case "judge":
        if (!flags.because)
          usageError(
            "recipes judge needs a reason, which is recorded with the old verdicts: --because WORDS.",
          );
        return (await import("./recipes/judge.ts").catch(absent)).judge(ids, flags, io);
      case "refresh":
        return (await import("./recipes/run.ts").catch(absent)).refresh(flags, io);
      case "table":
        return (await import("./recipes/table.ts").catch(absent)).table(flags, io);
      default:
        return usageError(
          `unknown subcommand "${what}". Use list, show, run, verify, judge, table, missing or refresh.`,
        );
    }
  },
};
