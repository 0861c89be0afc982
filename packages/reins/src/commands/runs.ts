import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { root } from "../cli/find-run.ts";
import { text, toggle, whole } from "../cli/flags.ts";

const flags = {
  root: text("PATH", "the folder that holds the runs (default runs)"),
  metric: text("NAME", "what to plot (default return/mean); a wrong name lists those that there are"),
  x: text("AXIS", "over steps or over seconds (default steps)"),
  svg: text("FILE", "also draw the plot into an SVG file"),
  smooth: whole("N", "draw the mean of each row and those before it, N in all (default 1)", 1),
  height: whole("N", "lines of the plot", 4, 1000),
  json: toggle("print JSON"),
};

/** `reins runs` */
export const command: Command = {
  usage: "runs [list | compare | plot] [run …] [flags]",
  about: `Shows what runs there are (list; "return" is that of training, "fresh" that of the trained agent over fresh episodes), in which settings they differ and how they fared (compare), and how they learned (plot). Runs are named by their directories or by their names in runs/; without names all are meant, for plots the newest six.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins runs", "all runs"],
    ["reins runs compare ppo-CartPole-v1-1 ppo-CartPole-v1-2", "side by side"],
    ["reins runs plot ppo-CartPole-v1-1 --svg curve.svg", "a learning curve, also as a picture"],
    ["reins runs plot --metric policy/kl", "another metric, the newest runs"],
    ["reins runs plot a b --smooth 10 --svg both.svg", "two runs compared, smoothed"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "runs" });
    const [what, ...names] = words;
    const folder = given.root ?? root;
    switch (what) {
      case undefined:
      case "list":
        return (await import("./runs/list.ts")).list(names, folder, given.json ?? false, io);
      case "compare":
        return (await import("./runs/compare.ts")).compare(names, folder, given.json ?? false, io);
      case "plot":
        return (await import("./runs/plot.ts")).plotRuns(names, folder, given, io);
      default:
        // A name alone is a wish to see that run.
        return (await import("./runs/compare.ts")).compare(words, folder, given.json ?? false, io);
    }
  },
};
