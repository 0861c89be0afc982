import { didYouMean } from "@reins/core/errors";
import { glossary, glossaryTable, metricEntry } from "@reins/core/metrics";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { toggle } from "../cli/flags.ts";
import { usageError } from "../cli/usage.ts";
import { wrap } from "../terminal/format.ts";
import { inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";

const flags = {
  json: toggle("print JSON"),
  markdown: toggle("print the glossary as a Markdown table"),
};

/** `reins metrics` */
export const command: Command = {
  usage: "metrics [name] [flags]",
  about:
    "Lists the metrics that runs log, or explains one: its definition, its unit, and what good and bad curves look like.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins metrics", "list all"],
    ["reins metrics policy/kl", "explain one"],
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
            : table(["metric", "unit", "description"], rows, { ink, width: tableWidth(io.out) })),
      );
      return 0;
    }
    const entry = metricEntry(name);
    if (!entry) usageError(`unknown metric ${name}.${suggestion(name)} Run reins metrics for a list.`);
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
            ...part("Good curve", good),
            ...part("Bad curve", bad),
          ]),
    );
    return 0;
  },
};

/** Metrics whose last part is the name, or else similar names. Other libraries put another group before a name. */
function suggestion(name: string): string {
  const known = Object.keys(glossary);
  const ending = known.filter((one) => one.endsWith(`/${name}`));
  if (ending.length) return ` Did you mean ${ending.join(" or ")}?`;
  return didYouMean(name, known) || didYouMean(name.slice(name.lastIndexOf("/") + 1), known);
}
