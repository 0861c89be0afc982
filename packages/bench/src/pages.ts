import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms, tuned } from "@reins/algorithms";
import type { AlgorithmMaker, Option, OptionTable } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import { ranges } from "@reins/core/settings";
import { writeApi } from "./api/api-pages.ts";
import { contests } from "./preferences/plan.ts";
import { called, number, type ScoreRecord, scoresIn, scoreTable, sideBySide, table } from "./score-tables.ts";
import { methodGroups } from "./words/plan.ts";

export const pagesHelp = `npm run bench -- pages

Regenerates docs/algorithms/*.md and docs/choosing.md: options from the definitions, scores from results/scores/*.json
(written by \`reins scores <algorithm> <env>\`). Writes the API reference to docs/api, which git ignores, from the comments
and types of all exports. Text outside generated parts is kept.`;

const [begin, end] = ["<!-- generated -->", "<!-- /generated -->"];

/** Writes the generated part of every algorithm's page, and the index. */
export function writePages(root = process.cwd()): void {
  const folder = join(root, "docs/algorithms");
  mkdirSync(folder, { recursive: true });
  const records = scoresIn(join(root, "results/scores"));
  for (const [name, maker] of Object.entries(algorithms)) {
    const path = join(folder, `${name}.md`);
    const own = records.filter((r) => r.algorithm === name);
    if (!existsSync(path)) writeFileSync(path, `${head(maker)}\n${begin}\n${end}\n`);
    replaceSummary(path, maker);
    replaceGenerated(path, generated(maker, own));
  }
  replaceGenerated(join(root, "docs/choosing.md"), sideBySide(records));
  writeFileSync(join(folder, "README.md"), index(records));
  writeApi(root);
}

/** Replaces the summary, which is the first paragraph of a page. */
function replaceSummary(path: string, { definition: { summary } }: AlgorithmMaker): void {
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/^(# .+\n\n)[^\n]+/, (_, heading) => heading + summary),
  );
}

/** Replaces the generated part of a page, and keeps the text around it. */
function replaceGenerated(path: string, text: string): void {
  const [before, rest] = readFileSync(path, "utf8").split(begin);
  const after = rest?.split(end)[1] ?? "\n";
  writeFileSync(path, `${before}${begin}\n\n${text}\n${end}${after}`);
}

const head = ({ definition: { name, summary, paper } }: AlgorithmMaker) =>
  `# ${name}\n\n${summary}${paper ? `\n\n${paper}.` : ""}\n`;

const sources = {
  steps: "Trains on environment steps.",
  episodes: "Trains on whole episodes, such as completions of language tasks.",
  demonstrations: "Trains on recorded examples: [files](../data.md), or demonstrations of a language task.",
  comparisons: "Trains on recorded completions: pairs, rankings or labels in [files](../data.md).",
  both: "Trains on environment steps, and on whole episodes such as completions of language tasks.",
};

const experimental = (isMeasured: boolean) =>
  `[Experimental](../core.md#stable-and-experimental): ${isMeasured ? "" : "not measured yet; "}its options and results may change in any version.\n`;

function generated(
  { definition: { name, options, learnsFrom = "steps", stability } }: AlgorithmMaker<OptionTable>,
  records: readonly ScoreRecord[],
): string {
  const settings = Object.entries(tuned).filter(([pair]) => pair.startsWith(`${name}/`));
  const scores = scoresOf(name, records);
  return [
    `${sources[learnsFrom]}\n`,
    ...(stability === "experimental" ? [experimental(scores.length > 0)] : []),
    "## Scores\n",
    scores.join("\n\n") || "None measured yet.",
    "\n## Options\n",
    table(
      ["option", "default", "takes", "per", "what it does"],
      Object.entries(options).map(([k, o]) => [
        `\`${k}\``,
        `\`${short(o.default)}\``,
        takes(o),
        o.per ?? "",
        o.about,
      ]),
    ),
    ...(settings.length
      ? [
          "\n## Tuned settings\n",
          "Tuned on seeds below 100; the scores use other seeds.\n",
          table(
            ["environment", "steps", "options"],
            settings.map(([pair, t]) => [
              pair.slice(name.length + 1),
              t.steps.toLocaleString("en"),
              `\`${short(t.options)}\`${t.wrappers?.length ? `, wrapped in ${t.wrappers.join(", ")}` : ""}`,
            ]),
          ),
        ]
      : []),
    "",
  ].join("\n");
}

/** Scores on environments, and links to scores on language tasks and on known utilities. */
function scoresOf(name: string, records: readonly ScoreRecord[]): string[] {
  const group = methodGroups.find(({ methods }) => (methods as readonly string[]).includes(name));
  return [
    ...(records.length
      ? [
          `${scoreTable(records)}\n\nReturn of the greedy policy after training, 100 episodes per seed; mean and standard deviation over seeds. Measured on ${records[0].machine}, one thread per run; seconds are CPU time.`,
        ]
      : []),
    ...(contests.some(({ method }) => method === name)
      ? ["Known utilities: [utility and comparison with other methods](preference-scores.md)."]
      : []),
    ...(group ? [`Language tasks: [accuracy and comparison with other methods](${group.file}.md).`] : []),
  ];
}

function index(records: readonly ScoreRecord[]): string {
  const rows = Object.entries(algorithms).map(([name, { definition }]) => {
    const own = records.filter((r) => r.algorithm === name);
    const best = own.map((r) => `${called(r)} ${number(estimate(r.scores.map((s) => s.return.mean)).mean)}`);
    const nothing = definition.stability === "experimental" ? "experimental" : "–";
    return [`[${name}](${name}.md)`, definition.summary, best.join(", ") || nothing];
  });
  return `# Algorithms\n\nOne page each: scores, options, tuned settings. \`reins algorithms <name>\` prints the options. Language models: [measured accuracy on language tasks](words.md), [measured utility of preference optimisation](preference-scores.md).\n\n${table(["algorithm", "what it is", "measured"], rows)}\n`;
}

const short = (x: unknown): string =>
  x === Number.POSITIVE_INFINITY
    ? "Infinity"
    : (JSON.stringify(x)?.replaceAll('"', "").replaceAll(",", ", ") ?? "–");

/** The type of an option, as text. */
function takes({ within, choices, default: usual }: Option): string {
  if (choices) return choices.join(", ");
  if (typeof usual === "boolean") return "true, false";
  return within ? ranges[within].words : "";
}
