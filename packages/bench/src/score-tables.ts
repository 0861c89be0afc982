import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { estimate } from "@reins/core/evaluations";
import { published } from "./published-results.ts";

/** The fields of `reins scores` records that pages use. */
export interface ScoreRecord {
  readonly algorithm: string;
  readonly as?: string;
  readonly env: string;
  readonly steps: number;
  readonly command: string;
  readonly machine: string;
  readonly solvedAt?: number;
  readonly scores: readonly {
    readonly seed: number;
    readonly return: { readonly mean: number };
    readonly seconds: number;
    readonly processor?: number;
    readonly steps: number;
  }[];
}

/** All records of a folder. */
export function scoresIn(folder: string): ScoreRecord[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((f) => f.endsWith(".json"))
    .sort()
    .map((f) => JSON.parse(readFileSync(join(folder, f), "utf8")));
}

/** The scores of one algorithm, for its page. */
export function scoreTable(records: readonly ScoreRecord[]): string {
  return table(
    ["environment", "return", "seeds", "steps", "seconds per run", "command"],
    records.map((r) => {
      const seeds = r.scores.map((s) => s.seed);
      return [
        called(r),
        spread(r),
        `${seeds.length} (${Math.min(...seeds)}–${Math.max(...seeds)})`,
        r.steps.toLocaleString("en"),
        secondsOf(r).toFixed(1),
        `\`${r.command.replace("reins train", "reins scores")}${r.as ? ` --as=${r.as}` : ""}\``,
      ];
    }),
  );
}

/** A table for each environment with several algorithms, by return and then by speed, followed by published results. */
export function sideBySide(records: readonly ScoreRecord[]): string {
  const envs = [...new Set(records.map((r) => r.env))].sort();
  return envs
    .map((env) => ({ env, own: records.filter((r) => r.env === env) }))
    .filter(({ own }) => own.length > 1)
    .map(({ env, own }) => `### ${env}\n\n${ofEnvironment(own)}\n`)
    .join("\n");
}

function ofEnvironment(records: readonly ScoreRecord[]): string {
  const ranked = [...records].sort(
    (a, b) => Number(number(meanOf(b))) - Number(number(meanOf(a))) || secondsOf(a) - secondsOf(b),
  );
  const goal = ranked[0].solvedAt;
  const others = published.filter((p) => p.env === ranked[0].env);
  return table(
    ["algorithm", "return", ...(goal === undefined ? [] : [`seeds ≥ ${goal}`]), "steps", "seconds"],
    [
      ...ranked.map((r) => [
        `\`${r.algorithm}\`${r.as ? `, ${r.as}` : ""}`,
        spread(r),
        ...(goal === undefined
          ? []
          : [`${r.scores.filter((s) => s.return.mean >= goal).length} of ${r.scores.length}`]),
        r.steps.toLocaleString("en"),
        secondsOf(r).toFixed(secondsOf(r) < 10 ? 1 : 0),
      ]),
      ...others.map((p) => [
        `${p.algorithm} of ${p.by}`,
        p.return,
        ...(goal === undefined ? [] : [""]),
        p.steps.toLocaleString("en"),
        "",
      ]),
    ],
  );
}

const returnsOf = ({ scores }: ScoreRecord) => estimate(scores.map((s) => s.return.mean));
const meanOf = (record: ScoreRecord): number => returnsOf(record).mean;
const secondsOf = ({ scores }: ScoreRecord): number =>
  estimate(scores.map((s) => s.processor ?? s.seconds)).mean;

function spread(record: ScoreRecord): string {
  const { mean, std } = returnsOf(record);
  return `${number(mean)} (sd ${number(std, mean)})`;
}

/** An environment with the name of the settings. */
export const called = ({ env, as }: ScoreRecord): string => (as ? `${env} (${as})` : env);

/** A rounded number; a spread has the digits of its mean. */
export const number = (x: number, like = x): string =>
  x.toFixed(Math.abs(like) < 2 ? 3 : Math.abs(like) < 20 ? 2 : 1);

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
