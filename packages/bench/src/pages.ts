import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms, tuned } from "@reins/algorithms";
import { type AlgorithmMaker, estimate, type Option, type OptionTable, ranges } from "@reins/core";
import { writeApi } from "./api/api-pages.ts";
import { methodGroups } from "./words/plan.ts";

export const pagesHelp = `npm run bench -- pages

Writes what can be generated of docs/algorithms/*.md: options from the definitions, scores from results/scores/*.json (which
\`reins scores <algorithm> <env>\` fills). The text around it is left as it is. And docs/api/*.md, from the comments and types of all that is exported.`;

interface Record {
  readonly algorithm: string;
  readonly as?: string;
  readonly env: string;
  readonly steps: number;
  readonly command: string;
  readonly machine: string;
  readonly scores: readonly { seed: number; return: { mean: number }; seconds: number; steps: number }[];
}

const [begin, end] = ["<!-- generated -->", "<!-- /generated -->"];

/** Writes the generated part of every algorithm's page, and the index. */
export function writePages(root = process.cwd()): void {
  const folder = join(root, "docs/algorithms");
  mkdirSync(folder, { recursive: true });
  const records = scoresIn(join(root, "results/scores"));
  for (const [name, maker] of Object.entries(algorithms)) {
    const path = join(folder, `${name}.md`);
    const own = records.filter((r) => r.algorithm === name);
    const page = existsSync(path) ? readFileSync(path, "utf8") : `${head(maker)}\n${begin}\n${end}\n`;
    const [before, rest] = page.split(begin);
    const after = rest?.split(end)[1] ?? "\n";
    writeFileSync(path, `${before}${begin}\n\n${generated(maker, own)}\n${end}${after}`);
  }
  writeFileSync(join(folder, "README.md"), index(records));
  writeApi(root);
}

function scoresIn(folder: string): Record[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((f) => f.endsWith(".json"))
    .map((f) => JSON.parse(readFileSync(join(folder, f), "utf8")));
}

const head = ({ definition: { name, summary, paper } }: AlgorithmMaker) =>
  `# ${name}\n\n${summary}${paper ? `\n\n${paper}.` : ""}\n`;

const sources = {
  steps: "Learns from steps, in environments.",
  episodes: "Learns from whole episodes of a stage, such as answers in words.",
  both: "Learns from environments, and from whole episodes of a stage, such as answers in words.",
};

function generated(
  { definition: { name, options, learnsFrom = "steps" } }: AlgorithmMaker<OptionTable>,
  records: readonly Record[],
): string {
  const settings = Object.entries(tuned).filter(([pair]) => pair.startsWith(`${name}/`));
  return [
    `${sources[learnsFrom]}\n`,
    "## Scores\n",
    scoresOf(name, records).join("\n\n") || "None measured yet.",
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
          "Found on seeds below 100; scores are on others.\n",
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

/** What was measured on environments, and where on problems in words. */
function scoresOf(name: string, records: readonly Record[]): string[] {
  const group = methodGroups.find(({ methods }) => (methods as readonly string[]).includes(name));
  return [
    ...(records.length
      ? [
          `${scoreTable(records)}\n\nGreedy policies after training, 100 episodes a seed; mean and standard deviation are over seeds. Measured on ${records[0].machine}, one thread a run.`,
        ]
      : []),
    ...(group ? [`On problems in words: [measured beside others](${group.file}.md).`] : []),
  ];
}

function scoreTable(records: readonly Record[]): string {
  return table(
    ["environment", "return", "seeds", "steps", "seconds a run", "command"],
    records.map((r) => {
      const { mean, std, count } = estimate(r.scores.map((s) => s.return.mean));
      const seconds = estimate(r.scores.map((s) => s.seconds));
      const seeds = r.scores.map((s) => s.seed);
      return [
        called(r),
        `${number(mean)} ± ${number(std, mean)}`,
        `${count} (${Math.min(...seeds)}–${Math.max(...seeds)})`,
        r.steps.toLocaleString("en"),
        seconds.mean.toFixed(1),
        `\`${r.command.replace("reins train", "reins scores")}${r.as ? ` --as=${r.as}` : ""}\``,
      ];
    }),
  );
}

const called = ({ env, as }: Record) => (as ? `${env} (${as})` : env);

function index(records: readonly Record[]): string {
  const rows = Object.entries(algorithms).map(([name, { definition }]) => {
    const own = records.filter((r) => r.algorithm === name);
    const best = own.map((r) => `${called(r)} ${number(estimate(r.scores.map((s) => s.return.mean)).mean)}`);
    return [`[${name}](${name}.md)`, definition.summary, best.join(", ") || "–"];
  });
  return `# Algorithms\n\nOne page each: scores, options, tuned settings. \`reins algorithms <name>\` prints the options. Language models: [problems in words](words.md).\n\n${table(["algorithm", "what it is", "measured"], rows)}\n`;
}

/** Few digits; those of a spread follow those of its mean. */
const number = (x: number, like = x): string =>
  x.toFixed(Math.abs(like) < 2 ? 3 : Math.abs(like) < 20 ? 2 : 1);

const short = (x: unknown): string =>
  x === Number.POSITIVE_INFINITY
    ? "Infinity"
    : (JSON.stringify(x)?.replaceAll('"', "").replaceAll(",", ", ") ?? "–");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** What an option may be, in words. */
function takes({ within, choices, default: usual }: Option): string {
  if (choices) return choices.join(", ");
  if (typeof usual === "boolean") return "true, false";
  return within ? ranges[within].words : "";
}
