import * as exported from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";
import { algorithmFlags } from "../cli/algorithm-flags.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { flagLines } from "../cli/flag-lines.ts";
import { toggle } from "../cli/flags.ts";
import { algorithmTyped } from "../cli/names.ts";
import { showSetting } from "../cli/show-setting.ts";
import { flagOf } from "../cli/training-flags.ts";
import { textSettings } from "../places/text/settings.ts";
import { compact, wrap } from "../terminal/format.ts";
import type { Ink } from "../terminal/ink.ts";
import { inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";

const { algorithms, learnerNames, tuned } = exported;

const flags = { json: toggle("print JSON") };

/** `reins algorithms` */
export const command: Command = {
  usage: "algorithms [algorithm] [flags]",
  about:
    "Lists the algorithms, or describes one: every setting with its effect and usual range, and the settings tuned for each environment.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins algorithms", "list all"],
    ["reins algorithms ppo", "describe one, with all its settings"],
    ["reins algorithms ./my-algorithm.js", "your own"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "algorithms" });
    noMore(words, 1, "algorithms");
    const ink = inkOf(io.out);
    const width = widthFor(io.out);
    const [typed] = words;
    if (typed === undefined) {
      const all = Object.values(algorithms).map((m) => m.definition);
      const rows = all.map((d) => [
        ink.color(0, d.name),
        actionsOf(d),
        isExperimental(d) ? `Experimental. ${d.summary}` : d.summary,
      ]);
      const about = all.map(({ name, summary, paper, actions, stability = "stable" }) => ({
        name,
        summary,
        paper,
        stability,
        actions,
      }));
      print(
        io.out,
        ...(given.json
          ? [JSON.stringify(about)]
          : [
              ...table(["algorithm", "actions", "what it does"], rows, { ink, width: tableWidth(io.out) }),
              "",
              ...wrap(
                `Language tasks are learned by ${learnerNames("episodes").join(", ")}: reins train grpo arithmetic.`,
                width,
              ),
            ]),
      );
      return 0;
    }
    const maker = await algorithmTyped(typed);
    const { name, summary, paper, actions, learnsFrom, options, stability = "stable" } = maker.definition;
    if (given.json) {
      print(
        io.out,
        JSON.stringify({
          name,
          import: importOf(maker),
          summary,
          paper,
          stability,
          actions,
          learnsFrom,
          options,
          tuned: tunedOf(name),
        }),
      );
      return 0;
    }
    print(
      io.out,
      ink.bold(name),
      ...wrap(summary, width),
      ...(paper ? wrap(paper, width).map(ink.dim) : []),
      `Actions: ${actionsOf(maker.definition)}${learnsFrom === "both" ? ", and text completions" : ""}`,
      ...(isExperimental(maker.definition) ? wrap(experimentalNote, width) : []),
      ...importLine(maker),
      "",
      ink.bold("Settings"),
      ...wrap(
        "A SIGNAL is a number or a schedule: linear(a, b), cosine(a, b), pi(of=policy/kl, …). See reins train --help.",
        width,
      ),
      ...wrap(
        "The scope (run, unless given; task, sample or token) is the granularity at which a setting is read. A signal must have the same or a coarser scope.",
        width,
      ),
      ...flagLines(algorithmFlags(maker).flags, ink, width),
      ...tunedLines(maker, ink, width),
      "",
      `Try: reins train ${typed} ${Object.keys(tunedOf(name))[0] ?? (textSettings(name, "tiny") ? "arithmetic" : "CartPole-v1")}`,
    );
    return 0;
  },
};

const isExperimental = ({ stability }: Pick<AlgorithmMaker["definition"], "stability">) =>
  stability === "experimental";
const experimentalNote = "Experimental: its options and results may change in any version.";

const actionsOf = ({ learnsFrom, actions }: Pick<AlgorithmMaker["definition"], "learnsFrom" | "actions">) =>
  learnsFrom === undefined || learnsFrom === "steps" || learnsFrom === "both"
    ? (actions?.join(", ") ?? "any")
    : "text completions";

/** The export name of an algorithm; undefined for a custom one. */
const importOf = (maker: AlgorithmMaker): string | undefined =>
  Object.entries(exported).find(([, value]) => (value as unknown) === maker)?.[0];

/** The import statement, if the export name differs from the algorithm's name. */
function importLine(maker: AlgorithmMaker): string[] {
  const name = importOf(maker);
  return name === undefined || name === maker.definition.name
    ? []
    : [`In programs: import { ${name} } from "reins/algorithms"`];
}

/** Tuned settings of an algorithm, by environment. */
function tunedOf(name: string): typeof tuned {
  return Object.fromEntries(
    Object.entries(tuned)
      .filter(([pair]) => pair.startsWith(`${name}/`))
      .map(([pair, found]) => [pair.slice(name.length + 1), found]),
  );
}

function tunedLines({ definition: { name } }: AlgorithmMaker, ink: Ink, width: number): string[] {
  const language = textSettings(name, "tiny");
  const found = [
    ...Object.entries(tunedOf(name)),
    ...(language ? [["language tasks", language] as const] : []),
  ];
  if (!found.length) return [];
  const margin = Math.max(...found.map(([env]) => env.length)) + 2;
  return [
    "",
    ink.bold("Tuned settings by environment"),
    ...found.flatMap(([env, { steps, options, wrappers }]) => {
      const typed = Object.entries(options).map(([k, v]) => `${flagOf(name, k)} ${showSetting(v)}`);
      const lines = wrap(
        [
          `${compact(steps)} ${env === "language tasks" ? "tokens" : "steps"}`,
          ...typed,
          ...(wrappers ?? []),
        ].join(", "),
        Math.max(30, width - margin - 2),
      );
      return lines.map(
        (line, i) => `  ${i === 0 ? ink.color(0, env.padEnd(margin)) : " ".repeat(margin)}${line}`,
      );
    }),
  ];
}
