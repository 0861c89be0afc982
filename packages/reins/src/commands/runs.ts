import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { root } from "../cli/find-run.ts";
import { text, toggle, whole } from "../cli/flags.ts";

const flags = {
  root: text("PATH", "the folder that holds the runs (default runs)"),
  metric: text("NAME", "metric to plot (default return/mean); an unknown name lists all"),
  x: text("AXIS", "x axis: steps or seconds (default steps)"),
  svg: text("FILE", "also write the plot as an SVG file"),
  smooth: whole("N", "moving average over N rows (default 1)", 1),
  height: whole("N", "height of the plot in lines", 4, 1000),
  json: toggle("print JSON"),
};

/** `reins runs` */
export const command: Command = {
  usage: "runs [list | compare | plot] [run …] [flags]",
  about: `Lists runs (list: "return" is the mean return in training, "evaluation" that of the final evaluation), compares their settings and results (compare), and plots learning curves (plot). Runs are given by their directories or by their names in runs/ (default: all; the newest six for compare and plot).`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins runs", "all runs"],
    ["reins runs compare ppo-CartPole-v1-1 ppo-CartPole-v1-2", "side by side"],
    ["reins runs plot ppo-CartPole-v1-1 --svg curve.svg", "a learning curve, also as SVG"],
    ["reins runs plot --metric policy/kl", "another metric of the newest runs"],
    ["reins runs plot a b --smooth 10 --svg both.svg", "two smoothed curves"],
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
        // A name alone shows that run.
        return (await import("./runs/compare.ts")).compare(words, folder, given.json ?? false, io);
    }
  },
};
