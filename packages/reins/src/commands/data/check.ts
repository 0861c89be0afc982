import { concatExamples, type ExampleSource } from "@reins/core/examples";
import type { Example, ExampleSurvey } from "@reins/language";
import { readArguments } from "../../cli/arguments.ts";
import { usageError } from "../../cli/usage.ts";
import { notInstalled } from "../../places/optional.ts";
import { compact } from "../../terminal/format.ts";
import { type Io, inkOf, print, widthFor } from "../../terminal/io.ts";
import { Duplicates } from "./duplicates.ts";
import { flags } from "./flags.ts";
import { lengthsOf, type TokenLengths } from "./lengths.ts";
import { renderedExample } from "./rendered-example.ts";

/** Examples whose tokens are counted without --all. */
const sampled = 20_000;
/** Examples shown. */
const shown = 3;

/** Checks files and prints what was found. Resolves to 1 if no line can be used, else to 0. */
export async function check(args: readonly string[], io: Io): Promise<number> {
  const { words: files, flags: given } = readArguments(args, flags, { command: "data" });
  if (!files.length) usageError("missing file. Example: reins data check examples.jsonl.");
  const { openExamples, surveyExamples } = await import("@reins/language").catch(
    notInstalled("@reins/language", "data check"),
  );
  const sources = await Promise.all(files.map((file) => openExamples(file)));
  const source = concatExamples(sources);
  const duplicates = new Duplicates(sources.map((s) => s.count));
  const survey = surveyExamples(source, (example, index) => duplicates.add(example, index));
  const { usable } = survey;
  const { train, test } = survey.split(given.test ?? 0.1);
  const model =
    given.model === undefined
      ? undefined
      : await lengthsOf(given.model, usable, given.all ? usable.count : sampled);
  const found = {
    files,
    lines: source.count,
    usable: usable.count,
    kinds: Object.fromEntries(survey.kinds),
    faults: survey.faults,
    train: train.count,
    test: test.count,
    ...duplicates.found(),
    ...(model ? { tokens: model.lengths } : {}),
  };
  if (given.json) print(io.out, JSON.stringify(found));
  else report(found, survey, usable, io, model?.render);
  source.close?.();
  return usable.count ? 0 : 1;
}

type Found = Pick<ExampleSurvey, "faults"> & {
  readonly files: readonly string[];
  readonly lines: number;
  readonly usable: number;
  readonly kinds: { readonly [kind: string]: number };
  readonly train: number;
  readonly test: number;
  readonly repeated: number;
  readonly leaked: number;
  readonly leaks: readonly number[];
  readonly tokens?: TokenLengths;
};

const plural = (n: number, noun: string): string => `${compact(n)} ${noun}${n === 1 ? "" : "s"}`;

function report(
  found: Found,
  { faults }: ExampleSurvey,
  usable: ExampleSource<Example>,
  io: Io,
  render: ((example: Example) => readonly { readonly text: string; readonly learned: boolean }[]) | undefined,
): void {
  const ink = inkOf(io.out);
  const row = (name: string, line: string) => `${ink.dim(name.padEnd(12))}${line}`;
  const kinds = Object.entries(found.kinds).map(([kind, n]) => `${compact(n)} ${kind}`);
  print(
    io.out,
    ink.bold(found.files.join(", ")),
    row("examples", `${plural(found.usable, "usable line")} of ${compact(found.lines)}`),
    row("formats", kinds.join(", ") || "none"),
    row("splits", `${compact(found.train)} for training, ${compact(found.test)} held out`),
    row("duplicates", `${plural(found.repeated, "example")} repeated`),
    ...(found.leaked
      ? [
          row(
            "leakage",
            `${plural(found.leaked, "held-out prompt")} also in the training split: ${located(found.leaks, usable)}`,
          ),
        ]
      : []),
    ...tokenRows(found.tokens, row),
  );
  if (faults.length)
    print(io.out, "", ink.bold(`${plural(found.lines - found.usable, "line")} cannot be used`));
  for (const { message, count, at } of faults.slice(0, 20))
    print(
      io.out,
      `  ${at.join("; ")}${count > at.length ? ` and ${compact(count - at.length)} more` : ""}`,
      `    ${message}`,
    );
  if (faults.length > 20)
    print(io.out, `  ${faults.length - 20} further kinds of faults: --json lists them.`);
  const some = Math.min(shown, usable.count);
  for (let i = 0; i < some; i++) {
    const index = Math.floor((i * usable.count) / some);
    const lines = renderedExample(usable.read(index), render, ink, widthFor(io.out));
    print(io.out, "", ink.dim(`${usable.locate(index)}: learned text is between ⟦ and ⟧`), ...lines);
  }
}

const located = (indices: readonly number[], source: ExampleSource<Example>): string =>
  indices.map((i) => source.locate(i)).join("; ");

function tokenRows(tokens: TokenLengths | undefined, row: (name: string, line: string) => string): string[] {
  if (!tokens) return [];
  const { counted, percentiles, longest, context, longer, failed } = tokens;
  const at = Object.entries(percentiles).map(([p, n]) => `${p} ${n}`);
  return [
    row("tokens", `${at.join(", ")}, maximum ${longest} (${plural(counted, "example")})`),
    row("too long", `${longer} of ${compact(counted)} exceed the model's context of ${context} tokens`),
    ...(failed ? [row("unrendered", `${plural(failed.count, "example")}: ${failed.first}`)] : []),
  ];
}
