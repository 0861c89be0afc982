import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bounds, type Estimate, estimate, fail } from "@reins/core";
import { showSetting } from "../../cli/show-setting.ts";
import { markdownTable } from "../../terminal/table.ts";
import { compact, short, time } from "../../terminal/words.ts";

/** How one seed fared. */
export interface Score {
  readonly seed: number;
  readonly return: Pick<Estimate, "mean" | "std"> & Partial<Pick<Estimate, "interval">>;
  readonly episodes: number;
  readonly steps: number;
  readonly stepsPerSecond: number;
  readonly seconds: number;
  /** Seconds of processor time, which other work on the machine does not lengthen. Older records lack it. */
  readonly processor?: number;
}

/** The scores of one algorithm with certain settings on one environment. */
export interface ScoreRecord {
  readonly algorithm: string;
  /** What these settings are called beside others of the same pair. */
  readonly as?: string;
  readonly env: string;
  readonly envOptions: { readonly [name: string]: unknown };
  readonly steps: number;
  readonly options: { readonly [name: string]: unknown };
  readonly wrappers: readonly string[];
  /** What gives a score again, apart from its seed. */
  readonly command: string;
  readonly solvedAt?: number;
  /** The lowest and the highest return of an episode, where the environment declares them. */
  readonly returnBounds?: Bounds;
  readonly reins: string;
  readonly machine: string;
  readonly scores: readonly Score[];
}

/** The file that holds the scores of an algorithm on an environment. */
export const recordPath = (
  folder: string,
  { algorithm, as, env }: Pick<ScoreRecord, "algorithm" | "as" | "env">,
): string =>
  join(folder, `${[algorithm, ...(as ? [as] : []), env].join("-").replace(/[^\w.-]+/g, "-")}.json`);

/** What is in the file already; the empty record if there is none. Scores of other settings are refused: they must not be mixed. */
export function openRecord(folder: string, empty: ScoreRecord, fresh: boolean): ScoreRecord {
  const path = recordPath(folder, empty);
  if (fresh || !existsSync(path)) return empty;
  const found = readRecord(path);
  const differs = (["steps", "options", "envOptions", "wrappers"] as const).filter(
    (k) => JSON.stringify(found[k]) !== JSON.stringify(empty[k]),
  );
  if (differs.length)
    fail(
      path,
      `it has scores of other settings (${differs.map((k) => differenceIn(found[k], empty[k], k)).join("; ")}). Add --fresh to discard them, or --as NAME to keep these beside them.`,
    );
  return { ...empty, scores: found.scores };
}

function readRecord(path: string): ScoreRecord {
  const text = readFileSync(path, "utf8");
  try {
    const record = JSON.parse(text) as ScoreRecord;
    if (Array.isArray(record.scores)) return record;
  } catch {}
  return fail(
    path,
    "it holds no scores: it is torn, or something else. Move it away, or add --fresh to begin it anew.",
  );
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

/** Writes a record as a whole: who reads at the same time sees the old one or the new one. */
export function writeRecord(folder: string, record: ScoreRecord): void {
  const path = recordPath(folder, record);
  mkdirSync(dirname(path), { recursive: true });
  const scores = [...record.scores].sort((a, b) => a.seed - b.seed);
  writeFileSync(
    `${path}.part`,
    `${JSON.stringify({ ...record, summary: summaryOf(scores, record.returnBounds), scores }, null, 2)}\n`,
  );
  renameSync(`${path}.part`, path);
  writeFileSync(join(folder, "table.md"), tableOf(folder));
}

/** Mean return over the seeds, with its uncertainty. */
export function summaryOf(scores: readonly Score[], bounds?: Bounds): Estimate {
  return estimate(
    scores.map((s) => s.return.mean),
    bounds,
  );
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** All records of a folder as one Markdown table. */
export function tableOf(folder: string): string {
  const records = readdirSync(folder)
    .filter((f) => f.endsWith(".json"))
    .sort()
    .map((f) => readRecord(join(folder, f)));
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
  const heading = [
    "environment",
    "algorithm",
    "return",
    "95% CI",
    "sd",
    "solved",
    "steps",
    "time a run",
    "seeds",
    "command",
  ];
  return `# Scores

Mean return of the trained agent over fresh episodes: the mean over seeds, its 95% confidence interval (CI) and the standard deviation
between seeds (sd). Seeds from 100 on were not used for tuning. The files beside this one have every seed, its settings and its speed; the time is the median over
seeds: processor time of one thread with compiling and evaluation, which is what passes on a machine that does nothing else.

${markdownTable(heading, rows)}
`;
}
