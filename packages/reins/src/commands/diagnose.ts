import { diagnose, diagnostics, pageOf, reportFindings } from "@reins/core";
import { RunDirectory } from "@reins/core/directory";
import { noMore, readArguments } from "../cli/arguments.ts";
import { codeFlags, givenCode } from "../cli/code-flags.ts";
import type { Command } from "../cli/command.ts";
import { pageLines, pageNames } from "../cli/diagnosis-pages.ts";
import { findRun } from "../cli/find-run.ts";
import { type Flag, toggle } from "../cli/flags.ts";
import { restored } from "../load.ts";
import { inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { grouped } from "../terminal/words.ts";

/** A switch, behind which a name may stand as a word or after an equals sign. */
const explain: Flag<string> = {
  about: "print the page about a diagnosis, as in --explain steps-too-large; without a name, list all names",
  read: (name) => name,
};

const flags = {
  explain,
  all: toggle("list everything that a run is looked at for, with the page about each"),
  ...codeFlags,
  json: toggle("print JSON"),
};

/** `reins diagnose` */
export const command: Command = {
  usage: "diagnose [run] [flags]",
  about: `Says what is probably wrong with a run, the likeliest cause first: faults of its environment, of its updates, of its settings. The run is brought back from its latest checkpoint and plays one round more, in memory alone, since what it learned from last is not kept. The run is named by its directory or by its name in runs/; without one it is the newest.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins diagnose", "the newest run"],
    ["reins diagnose ppo-CartPole-v1-1 --json", "for a script"],
    ["reins diagnose --all", "everything that it looks for"],
    ["reins diagnose --explain steps-too-large", "what that is, its causes, and what to do"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "diagnose" });
    if (given.explain) {
      const named = [...(given.explain === "true" ? [] : [given.explain]), ...words].join("-");
      print(io.out, ...(named ? pageLines(named, widthFor(io.out)) : pageNames));
      return 0;
    }
    noMore(words, given.all ? 0 : 1, "diagnose");
    if (given.all) {
      const ink = inkOf(io.out);
      const rows = diagnostics.map((d) => [ink.color(0, d.name), `${d.confidence}`, pageOf(d)]);
      const heads = ["diagnosis", "sure", "page"];
      print(
        io.out,
        ...(given.json
          ? [JSON.stringify(diagnostics.map((d) => ({ ...d, page: pageOf(d) })))]
          : table(heads, rows, { ink, width: tableWidth(io.out) })),
      );
      return 0;
    }
    const path = findRun(words[0]);
    const run = await restored(path, givenCode(path, given));
    const kept = run.steps;
    // What a run that broke off died of: its checkpoint is from before.
    const broken = RunDirectory.open(path).summary()?.error;
    await run.round();
    const findings = diagnose(run);
    if (given.json) {
      print(io.out, JSON.stringify({ run: path, steps: kept, findings }));
      return 0;
    }
    const { algorithm, env } = run.options;
    print(
      io.out,
      `${path}   ${algorithm.name} on ${env.spec.id}, after ${grouped(kept)} steps`,
      "",
      ...(typeof broken === "string" ? [`It broke off: ${broken}`, ""] : []),
      findings.length
        ? reportFindings(findings)
        : "Nothing looks wrong. If it learns too slowly, search for settings: reins tune.",
    );
    return 0;
  },
};
