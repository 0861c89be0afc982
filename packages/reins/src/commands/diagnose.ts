import type { Run } from "@reins/core";
import { diagnose, diagnostics, pageOf, reportFindings } from "@reins/core/diagnostics";
import { RunDirectory } from "@reins/core/directory";
import { noMore, readArguments } from "../cli/arguments.ts";
import { codeFlags, givenCode } from "../cli/code-flags.ts";
import type { Command } from "../cli/command.ts";
import { continuousAdvice } from "../cli/continuous-advice.ts";
import { pageLines, pageNames } from "../cli/diagnosis-pages.ts";
import { findRun } from "../cli/find-run.ts";
import { type Flag, toggle } from "../cli/flags.ts";
import { diagnosable, lacksCheckpoint } from "../load.ts";
import { grouped } from "../terminal/format.ts";
import { inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";

/** A switch with an optional name, as a word or after an equals sign. */
const explain: Flag<string> = {
  about:
    "print the page about a diagnosis, such as --explain steps-too-large; without a name, list all names",
  read: (name) => name,
};

const flags = {
  explain,
  all: toggle("list all diagnoses and their pages"),
  ...codeFlags,
  json: toggle("print JSON"),
};

/** The error that a run stopped with, and its step. */
interface Crash {
  readonly step: number;
  readonly error: string;
}

function crashOf(directory: RunDirectory): Crash | undefined {
  const { status, error, steps } = directory.summary() ?? {};
  if (status !== "crashed" || typeof error !== "string") return undefined;
  return { step: typeof steps === "number" ? steps : 0, error };
}

const crashLine = ({ step, error }: Crash) =>
  `The run stopped at step ${grouped(step)} with an error: ${error}`;

/** For a run whose budget ended before its algorithm started. */
function supervisedLine({ metrics, options: { algorithm } }: Run): string[] | undefined {
  if (algorithm.name === "sft" || !Number.isFinite(metrics["loss/cloning"])) return undefined;
  // Other methods that imitate have returns of their own completions.
  if (!Number.isNaN(metrics["return/mean"])) return undefined;
  return [
    `The run is in its supervised phase: ${algorithm.name} has not started. Train for more steps (reins resume --steps), or lower --env-supervised-tokens.`,
  ];
}

/** `reins diagnose` */
export const command: Command = {
  usage: "diagnose [run] [flags]",
  about: `Finds likely problems of a run, the most likely cause first: in its environment, its updates or its settings. The run is restored from its latest checkpoint and trains for one more round in memory, because its last batch is not saved. The run is given by its directory or by its name in runs/ (default: the newest).`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins diagnose", "the newest run"],
    ["reins diagnose ppo-CartPole-v1-1 --json", "for a script"],
    ["reins diagnose --all", "all diagnoses"],
    ["reins diagnose --explain steps-too-large", "its meaning, causes and remedies"],
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
      const heads = ["diagnosis", "confidence", "page"];
      print(
        io.out,
        ...(given.json
          ? [JSON.stringify(diagnostics.map((d) => ({ ...d, page: pageOf(d) })))]
          : table(heads, rows, { ink, width: tableWidth(io.out) })),
      );
      return 0;
    }
    const path = findRun(words[0]);
    const directory = RunDirectory.open(path);
    const crash = crashOf(directory);
    if (crash && lacksCheckpoint(directory)) {
      const { algorithm, env } = directory.config;
      if (given.json) print(io.out, JSON.stringify({ run: path, steps: crash.step, crash, findings: [] }));
      else
        print(
          io.out,
          `${path}   ${algorithm} on ${env}, after ${grouped(crash.step)} steps`,
          "",
          crashLine(crash),
          "The run has no checkpoint, so nothing else can be diagnosed.",
        );
      return 0;
    }
    const { run, steps: kept } = await diagnosable(path, givenCode(path, given));
    // A crashed run may crash again; its history can still be diagnosed.
    await Promise.resolve(run.round()).catch((error: unknown) => {
      if (!crash) throw error;
    });
    const findings = diagnose(run);
    run.process.close?.();
    if (given.json) {
      print(io.out, JSON.stringify({ run: path, steps: kept, ...(crash ? { crash } : {}), findings }));
      return 0;
    }
    const { algorithm, env } = run.options;
    print(
      io.out,
      `${path}   ${algorithm.name} on ${env.spec.id}, after ${grouped(kept)} ${env.spec.action.kind === "text" ? "tokens" : "steps"}`,
      "",
      ...(crash ? [crashLine(crash), ""] : []),
      ...(findings.length
        ? [reportFindings(findings)]
        : crash
          ? ["Nothing else looks wrong."]
          : (supervisedLine(run) ?? [
              "Nothing looks wrong. If learning is too slow, tune the settings: reins tune.",
            ])),
      ...continuousAdvice(run, run.history.late("return/mean")),
    );
    return 0;
  },
};
