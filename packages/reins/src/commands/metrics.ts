import { didYouMean, glossary, glossaryTable, metricEntry } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { toggle } from "../cli/flags.ts";
import { misuse } from "../cli/usage.ts";
import { inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { wrap } from "../terminal/words.ts";

const flags = {
  json: toggle("print JSON"),
  markdown: toggle("print the whole glossary as a table in Markdown"),
};

/** `reins metrics` */
export const command: Command = {
  usage: "metrics [name] [flags]",
  about:
    "Lists the metrics that runs log, or explains one: what it is, its unit, and what a good and a bad course of it look like.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins metrics", "all of them"],
    ["reins metrics policy/kl", "one"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "metrics" });
    noMore(words, 1, "metrics");
    const ink = inkOf(io.out);
    const [name] = words;
    if (name === undefined) {
      const rows = Object.entries(glossary).map(([name, { unit, about }]) => [
        ink.color(0, name),
        unit,
        about,
      ]);
      print(
        io.out,
        ...(given.json
          ? [JSON.stringify(glossary)]
          : given.markdown
            ? [glossaryTable()]
            : table(["metric", "unit", "what it is"], rows, { ink, width: tableWidth(io.out) })),
      );
      return 0;
    }
    const entry = metricEntry(name);
    if (!entry)
      misuse(
        `there is no metric ${name}.${didYouMean(name, Object.keys(glossary))} Type reins metrics for all of them.`,
      );
    const width = widthFor(io.out);
    const { about, unit, good, bad } = entry;
    const part = (heading: string, text: string) => ["", ink.bold(heading), ...wrap(text, width)];
    print(
      io.out,
      ...(given.json
        ? [JSON.stringify({ name, ...entry })]
        : [
            ink.bold(name),
            ...wrap(about, width),
            ...part("Unit", unit),
            ...part("A good course", good),
            ...part("A bad one", bad),
          ]),
    );
    return 0;
  },
};
