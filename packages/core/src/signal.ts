import type { Tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { UsualRange } from "./range.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";

/**
 * A setting: a number, or a Signal that describes how the number changes. Every numeric setting of every algorithm is one. Signals are plain
 * data (they can be saved, sent and typed on a command line); `LiveSettingState` is the running form.
 *
 * - **Schedules** follow progress, from 0 at the start of the run's budget to 1 at its end.
 * - **Controllers** follow a statistic of the run, by the name it has in the metrics (`policy/kl`), or of a task.
 * - **Columns** give each sample or token its own value, computed from the batch.
 */
export type Setting = number | Signal;
/** How a number changes: with progress, with a statistic of the run, or from row to row of the batch. */
export type Signal = Schedule | Controller | ColumnSignal;

/**
 * From coarse to fine: one number per run, per task, per sample (a transition, an episode), per token (or step).
 * A setting is read at one of them and accepts signals that are as coarse or coarser.
 */
export const scopes = ["run", "task", "sample", "token"] as const;
/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** The scope of a setting. */
export function scopeOf(setting: Setting): Scope {
  return typeof setting !== "number" && "scope" in setting ? (setting.scope ?? "run") : "run";
}

/** A function of progress. `over` is the fraction of the run that it takes (1 by default); afterwards it stays at its end value. */
export type Schedule =
  | { readonly signal: "linear"; readonly from: number; readonly to: number; readonly over?: number }
  | { readonly signal: "cosine"; readonly from: number; readonly to: number; readonly over?: number }
  | { readonly signal: "exponential"; readonly from: number; readonly to: number; readonly over?: number }
  /** Straight lines between points (progress, value). */
  | { readonly signal: "piecewise"; readonly points: readonly (readonly [number, number])[] }
  /** Rises from 0 over the given fraction of the run, then follows `then`. */
  | { readonly signal: "warmup"; readonly over: number; readonly then: Setting };

/** Common to all controllers. */
export interface ControllerBase {
  /** The statistic that it follows, by its metric name. */
  readonly of: string;
  readonly min?: number;
  readonly max?: number;
  /** "task": one controller for each task, fed by that task's statistic. */
  readonly scope?: "run" | "task";
}

/** A function of measurements. */
export type Controller =
  /** Proportional-integral control towards a set-point: value = initial + gain · error + integral · Σ error (in logarithms if `log`). */
  | (ControllerBase & {
      readonly signal: "pi";
      readonly target: number;
      readonly initial: number;
      readonly gain: number;
      readonly integral: number;
      /** Works on the logarithm of the value, with the relative error: for settings that span magnitudes. */
      readonly log?: boolean;
    })
  /** Multiplied or divided by `factor` when the statistic leaves [target / tolerance, target · tolerance]. */
  | (ControllerBase & {
      readonly signal: "multiplicative";
      readonly target: number;
      readonly initial: number;
      readonly factor?: number;
      readonly tolerance?: number;
      /** 1: a statistic that is too high raises the value (a penalty). -1: it lowers the value (a learning rate). */
      readonly direction: 1 | -1;
    })
  /** A Lagrange multiplier: rises while the statistic exceeds its limit, in proportion (dual ascent). */
  | (ControllerBase & {
      readonly signal: "dual";
      readonly limit: number;
      readonly initial: number;
      readonly rate: number;
      /** 1 for an upper limit, -1 for a lower limit. */
      readonly direction?: 1 | -1;
      /** Ascends in the logarithm: stays positive and spans magnitudes. */
      readonly log?: boolean;
    })
  /** A bandit over several choices, by the statistic while each was in use (upper confidence bounds over a sliding window). */
  | (ControllerBase & {
      readonly signal: "bandit";
      readonly choices: readonly number[];
      /** Updates between changes of the choice. */
      readonly hold?: number;
      readonly window?: number;
      /** Exploration: higher values retry rarely used choices more often. */
      readonly exploration?: number;
      /** The bandit's reward: the statistic itself ("level") or its increase while the choice was in use ("progress"). */
      readonly reward?: "level" | "progress";
    })
  /** Follows a quantile of the statistic; the value is `scale` times it. */
  | (ControllerBase & {
      readonly signal: "quantile";
      readonly q: number;
      readonly initial: number;
      readonly rate?: number;
      readonly scale?: number;
    })
  /** Follows the moving average of the statistic; the value is `scale` times it, plus `offset`. */
  | (ControllerBase & {
      readonly signal: "average";
      readonly initial: number;
      readonly decay?: number;
      readonly scale?: number;
      readonly offset?: number;
    });

/** A value for each row of the batch, traced: a function of its columns. Not plain data, so it cannot be given on a command line. */
export interface ColumnSignal {
  readonly signal: "column";
  readonly scope: "sample" | "token";
  readonly of: (columns: Columns) => Tensor;
}

/** A live setting: its value follows progress and measurements, and is saved with the run. */
export interface LiveSettingState extends Saved {
  readonly name: string;
  readonly setting: Setting;
  /** The scope of the signal. */
  readonly scope: Scope;
  /** Whether it ever changes by itself. */
  readonly moves: boolean;
  /** The run's value for display; undefined if every row has its own. */
  readonly shown: number | undefined;
  /** The usual range from its description, if any. */
  readonly usual?: UsualRange;
  /** Replaces the signal by a constant from now on. */
  set(value: number): void;
  /** Updates the value with progress and the measurements since the last call. */
  update(progress: number, statistics: Statistics): void;
}

/** Linear from one number to another. */
export const linear = (from: number, to: number, over?: number): Schedule => ({
  signal: "linear",
  from,
  to,
  over,
});
/** Half a cosine from one number to another: slow, fast, slow. */
export const cosine = (from: number, to: number, over?: number): Schedule => ({
  signal: "cosine",
  from,
  to,
  over,
});
/** Exponential from one number to another, by equal factors. */
export const exponential = (from: number, to: number, over?: number): Schedule => ({
  signal: "exponential",
  from,
  to,
  over,
});
/** Linear between points (progress, value). */
export const piecewise = (...points: (readonly [number, number])[]): Schedule => ({
  signal: "piecewise",
  points,
});
/** Rises from 0 over a fraction of the run, then follows `then`. */
export const warmup = (over: number, then: Setting): Schedule => ({ signal: "warmup", over, then });

type Given<K> = Omit<Extract<Controller, { signal: K }>, "signal">;
/** Proportional-integral control that keeps a statistic at its target. */
export const pi = (options: Given<"pi">): Controller => ({ signal: "pi", ...options });
/** Multiplies or divides the value when a statistic leaves its band. */
export const multiplicative = (options: Given<"multiplicative">): Controller => ({
  signal: "multiplicative",
  ...options,
});
/** A Lagrange multiplier for a limit on a statistic. */
export const dual = (options: Given<"dual">): Controller => ({ signal: "dual", ...options });
/** A bandit over choices of the value. */
export const bandit = (options: Given<"bandit">): Controller => ({ signal: "bandit", ...options });
/** A multiple of a running quantile. */
export const quantile = (options: Given<"quantile">): Controller => ({ signal: "quantile", ...options });
/** A multiple of a moving average. */
export const average = (options: Given<"average">): Controller => ({ signal: "average", ...options });
/** A value for each row, computed from the batch. */
export const column = (of: ColumnSignal["of"], scope: ColumnSignal["scope"] = "sample"): ColumnSignal => ({
  signal: "column",
  scope,
  of,
});
