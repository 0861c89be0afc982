import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bounds, type Estimate, fail } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import { showSetting } from "../../cli/show-setting.ts";
import { compact, short, time } from "../../terminal/format.ts";
import { markdownTable } from "../../terminal/table.ts";

/** The result of one seed. */
export interface Score {
  readonly seed: number;
  readonly return: Pick<Estimate, "mean" | "std"> & Partial<Pick<Estimate, "interval">>;
  readonly episodes: number;
  readonly steps: number;
  readonly stepsPerSecond: number;
  readonly seconds: number;
  /** Processor time in seconds, independent of other load on the machine. Older records lack it. */
  readonly processor?: number;
}

/** The scores of one algorithm on one environment with fixed settings. */
export interface ScoreRecord {
  readonly algorithm: string;
  /** Name of these settings (`--as`). */
  readonly as?: string;
  readonly env: string;
  readonly envOptions: { readonly [name: string]: unknown };
  readonly steps: number;
  readonly options: { readonly [name: string]: unknown };
  readonly wrappers: readonly string[];
  /** Command that reproduces a score, without its seed. */
  readonly command: string;
  readonly solvedAt?: number;
  /** Bounds of the return of an episode, if the environment declares them. */
  readonly returnBounds?: Bounds;
  readonly reins: string;
  readonly machine: string;
  readonly scores: readonly Score[];
}

/** The file of the scores of an algorithm on an environment. */
export const recordPath = (
  folder: string,
  { algorithm, as, env }: Pick<ScoreRecord, "algorithm" | "as" | "env">,
): string =>
  join(folder, `${[algorithm, ...(as ? [as] : []), env].join("-").replace(/[^\w.-]+/g, "-")}.json`);

/** The existing record, or the empty one. Throws on scores of other settings, which must not be mixed. */
export function openRecord(folder: string, empty: ScoreRecord, fresh: boolean): ScoreRecord {
  const path = recordPath(folder, empty);
  if (fresh || !existsSync(path)) return empty;
  const found = readRecord(path);
  const differs = (["steps", "options", "envOptions", "wrappers"] as const).filter(
    (k) => JSON.stringify(found[k]) !== JSON.stringify(empty[k]),
  );
  const differences = [
    ...differs.map((k) => differenceIn(found[k], empty[k], k)),
    ...(flagsIn(found) === flagsIn(empty)
      ? []
      : [`flags ${flagsIn(found) || "none"}, now ${flagsIn(empty) || "none"}`]),
  ];
  if (differences.length)
    fail(
      path,
      `the file has scores of other settings (${differences.join("; ")}). Add --fresh to discard them, or --as NAME to write a separate file.`,
    );
  return { ...empty, scores: found.scores };
}

/** Flags besides settings that scores depend on. */
const flagsIn = ({ command = "" }: Partial<ScoreRecord>): string =>
  (command.match(/--(?:solved|eval-episodes=\d+)(?= |$)/g) ?? []).join(" ");

function readRecord(path: string): ScoreRecord {
  const record = recordIn(path);
  return record ?? fail(path, "not a valid file of scores. Move the file, or add --fresh to overwrite it.");
}

/** The record in a file; undefined if it holds something else. */
function recordIn(path: string): ScoreRecord | undefined {
  const text = readFileSync(path, "utf8");
  try {
    const record = JSON.parse(text) as ScoreRecord;
    if (record.scores.every((s) => typeof s.return.mean === "number")) return record;
  } catch {}
  return undefined;
}

function differenceIn(before: unknown, now: unknown, name: string): string {
  if (typeof before !== "object" || typeof now !== "object") return `${name} ${before}, now ${now}`;
  const [a, b] = [before as Record<string, unknown>, now as Record<string, unknown>];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys
    .filter((k) => JSON.stringify(a[k]) !== JSON.stringify(b[k]))
    .map((k) => `${k} ${showSetting(a[k])}, now ${showSetting(b[k])}`)
    .join("; ");
}

/**
 * Writes scores to their file and to the table of the folder. Scores that other processes have added to the file since are kept, unless
 * `fresh` discards them.
 */
export function writeScores(folder: string, record: ScoreRecord, fresh: boolean): ScoreRecord {
  const bySeed = new Map(openRecord(folder, record, fresh).scores.map((s) => [s.seed, s]));
  for (const own of record.scores) bySeed.set(own.seed, own);
  const scores = [...bySeed.values()].sort((a, b) => a.seed - b.seed);
  const path = recordPath(folder, record);
  mkdirSync(dirname(path), { recursive: true });
  replace(
    path,
    `${JSON.stringify({ ...record, summary: summaryOf(scores, record.returnBounds), scores }, null, 2)}\n`,
  );
  const table = join(folder, "table.md");
  if (!existsSync(table) || readFileSync(table, "utf8").startsWith(heading)) replace(table, tableOf(folder));
  return { ...record, scores };
}

function replace(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx" });
  renameSync(draft, path);
}

/** Mean return over the seeds, with its uncertainty. */
export function summaryOf(scores: readonly Score[], bounds?: Bounds): Estimate {
  return estimate(
    scores.map((s) => s.return.mean),
    bounds,
  );
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];

const heading = "# Scores\n";

/** All records of a folder as one Markdown table. */
export function tableOf(folder: string): string {
  const records = readdirSync(folder)
    .filter((f) => f.endsWith(".json"))
    .sort()
    .flatMap((f) => recordIn(join(folder, f)) ?? []);
  const rows = records.map((r) => {
    const { mean, std, interval } = summaryOf(r.scores, r.returnBounds);
    const solved = r.scores.filter((s) => r.solvedAt !== undefined && s.return.mean >= r.solvedAt).length;
    const seeds = r.scores.map((s) => s.seed);
    return [
      r.env,
      r.as ? `${r.algorithm} (${r.as})` : r.algorithm,
      short(mean),
      r.scores.length > 1 ? `[${short(interval[0])}, ${short(interval[1])}]` : "",
      r.scores.length > 1 ? short(std) : "",
      r.solvedAt === undefined ? "" : `${solved} of ${r.scores.length} (${r.solvedAt})`,
      compact(r.steps),
      time(median(r.scores.map((s) => s.processor ?? s.seconds))),
      `${Math.min(...seeds)} to ${Math.max(...seeds)}`,
      `\`${r.command}\``,
    ];
  });
  const columns = [
    "environment",
    "algorithm",
    "return",
    "95% CI",
    "sd",
    "solved",
    "steps",
    "time per run",
    "seeds",
    "command",
  ];
  return `${heading}
Mean return of the trained agent over evaluation episodes: the mean over seeds, its 95% confidence interval (CI) and the standard deviation
between seeds (sd). Seeds from 100 on were not used for tuning. The JSON files in this folder have every seed, its settings and its speed. The time is
the median over seeds of the processor time of one thread, with compilation and evaluation.

${markdownTable(columns, rows)}
`;
}
