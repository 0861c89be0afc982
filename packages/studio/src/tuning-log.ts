import type { LineReader } from "./growing-file.ts";
import { jsonSafe } from "./json-safe.ts";
import { settingText } from "./setting-text.ts";
import type { TuningDimension, TuningSettings } from "./tuning-wire.ts";

/** Maximum number of trainings kept. */
const most = 20_000;
const longest = 500;

type Data = Readonly<Record<string, unknown>>;

/** The configuration of a search, as in every line of its journal. */
export interface TuningPlan {
  readonly method: string;
  readonly space: readonly TuningDimension[];
  readonly trials: number;
  readonly steps: number;
  readonly seeds: readonly number[];
  /** The configuration that all trials share, as written. */
  readonly setup: Data;
}

/** One training of a trial. */
export interface TuningPiece {
  readonly trial: number;
  readonly rung: number;
  readonly seed: number;
  readonly steps: number;
  readonly settings: TuningSettings;
  /** The settings as written. */
  readonly raw: Data;
  readonly score: number | null;
  readonly failed?: string;
}

/** The journal of `reins tune`: a line for each finished training. */
export class TuningLog implements LineReader {
  plan: TuningPlan | undefined;
  private readonly found = new Map<string, TuningPiece>();
  private stamp: unknown;

  get pieces(): readonly TuningPiece[] {
    return [...this.found.values()];
  }

  take(lines: Buffer): void {
    for (const line of lines.toString("utf8").split("\n")) {
      const data = parsed(line);
      if (!isData(data) || !isData(data.task) || !isData(data.result)) continue;
      const piece = pieceIn(data.task, data.result);
      // A new stamp means that another search rewrote the file.
      if (data.stamp !== this.stamp) {
        const plan = planIn(parsed(String(data.stamp)));
        if (!plan) continue;
        this.forget();
        this.stamp = data.stamp;
        this.plan = plan;
      }
      if (piece && this.found.size < most)
        this.found.set(`${piece.trial} ${piece.rung} ${piece.seed}`, piece);
    }
  }

  forget(): void {
    this.found.clear();
    this.stamp = undefined;
    this.plan = undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function planIn(stamp: unknown): TuningPlan | undefined {
  const [method, plan, setup] = Array.isArray(stamp) ? stamp : [];
  if (typeof method !== "string" || !isData(plan) || !isData(setup)) return undefined;
  const space = Array.isArray(plan.space) ? plan.space.flatMap((d: unknown) => dimensionIn(d) ?? []) : [];
  const seeds = Array.isArray(plan.seeds) ? plan.seeds.filter(Number.isFinite) : [];
  return { method, space, seeds, setup, trials: Number(plan.trials), steps: Number(plan.steps) };
}

function dimensionIn(d: unknown): TuningDimension | undefined {
  if (!isData(d) || typeof d.name !== "string") return undefined;
  const { name, low, high, scale } = d;
  if (Array.isArray(d.choices)) return { name, choices: d.choices.map((c) => textOf(c)) };
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return { name, low, high, scale: scale === "log" || scale === "towards-one" ? scale : "linear" };
}

function pieceIn(task: Data, result: Data): TuningPiece | undefined {
  const [trial, rung, seed, steps] = [task.trial, task.rung, task.seed, task.to].map(Number);
  if (![trial, rung, seed, steps].every(Number.isFinite) || !isData(task.settings)) return undefined;
  const entries = Object.entries(task.settings).map(
    ([name, x]) => [name, typeof x === "number" && Number.isFinite(x) ? x : textOf(x)] as const,
  );
  const score = typeof result.score === "number" && Number.isFinite(result.score) ? result.score : null;
  const failed = typeof result.failed === "string" ? result.failed.slice(0, longest) : undefined;
  const settings = Object.fromEntries(entries);
  const own = { trial, rung, seed, steps, settings, raw: task.settings, score };
  return failed === undefined ? own : { ...own, failed };
}

const textOf = (value: unknown): string => settingText(jsonSafe(value)).slice(0, longest);

const isData = (x: unknown): x is Data => typeof x === "object" && x !== null && !Array.isArray(x);
