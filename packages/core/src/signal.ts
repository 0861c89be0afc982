import type { Tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { UsualRange } from "./range.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";

/**
 * A setting: a number, or a Signal that says how the number changes. Every numeric setting of every algorithm is one. Signals are plain data
 * (they can be written to a file, sent and typed on a command line); `Live` is one at work.
 *
 * - **Schedules** follow progress, from 0 at the start of the run's budget to 1 at its end.
 * - **Controllers** follow a statistic of the run, by the name it has in the metrics (`policy/kl`), or of a task.
 * - **Columns** give each sample or token its own value, computed from the batch.
 */
export type Setting = number | Signal;
/** How a number changes: with progress, with a statistic of the run, or from row to row of the batch. */
export type Signal = Schedule | Controller | ColumnSignal;

/**
 * From coarse to fine: one number for the whole run, for each task, for each sample (a transition, an episode), for each token (or step).
 * A setting is read at one of them and takes signals that are as coarse or coarser.
 */
export const scopes = ["run", "task", "sample", "token"] as const;
/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** How finely a setting distinguishes. */
export function scopeOf(setting: Setting): Scope {
  return typeof setting !== "number" && "scope" in setting ? (setting.scope ?? "run") : "run";
}

/** A function of progress. `over` is the share of the run that it takes (1 by default); it stays at its end afterwards. */
export type Schedule =
  | { readonly signal: "linear"; readonly from: number; readonly to: number; readonly over?: number }
  | { readonly signal: "cosine"; readonly from: number; readonly to: number; readonly over?: number }
  | { readonly signal: "exponential"; readonly from: number; readonly to: number; readonly over?: number }
  /** Straight lines between points (progress, value). */
  | { readonly signal: "piecewise"; readonly points: readonly (readonly [number, number])[] }
  /** Rises from 0 over the given share of the run, then does as `then` says. */
  | { readonly signal: "warmup"; readonly over: number; readonly then: Setting };

/** What all controllers have. */
export interface ControllerBase {
  /** The statistic that it follows, as it is called in the metrics. */
  readonly of: string;
  readonly min?: number;
  readonly max?: number;
  /** "task": one controller for each task, fed by that task's statistic. */
  readonly scope?: "run" | "task";
}

/** A function of what was measured. */
export type Controller =
  /** Proportional and integral, towards a set-point: value = initial + gain · error + integral · Σ error (in logarithms if `log`). */
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
      /** 1: a statistic that is too high raises the value (a penalty). -1: it lowers it (a step size). */
      readonly direction: 1 | -1;
    })
  /** A Lagrange multiplier: rises while the statistic exceeds its limit, in proportion (dual ascent). */
  | (ControllerBase & {
      readonly signal: "dual";
      readonly limit: number;
      readonly initial: number;
      readonly rate: number;
      /** 1 for a limit from above, -1 for one from below. */
      readonly direction?: 1 | -1;
      /** Ascends in the logarithm: stays positive and spans magnitudes. */
      readonly log?: boolean;
    })
  /** One of several choices, by how the statistic fared while each was in use (upper confidence bounds over a sliding window). */
  | (ControllerBase & {
      readonly signal: "bandit";
      readonly choices: readonly number[];
      /** Updates that a choice is kept for before it is judged. */
      readonly hold?: number;
      readonly window?: number;
      /** How eagerly seldom used choices are tried again. */
      readonly exploration?: number;
      /** What counts: the statistic itself ("level") or its rise while the choice was in use ("progress"). */
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

/** A setting at work: its value moves with progress and with what was measured, and is saved with the run. */
export interface Moving extends Saved {
  readonly name: string;
  readonly setting: Setting;
  /** How finely the signal distinguishes. */
  readonly scope: Scope;
  /** Whether it ever changes by itself. */
  readonly moves: boolean;
  /** The run's own value, to be shown; undefined where every row has its own. */
  readonly shown: number | undefined;
  /** The range that its description calls usual, where it names one. */
  readonly usual?: UsualRange;
  /** Replaces the signal by a number, from now on. */
  set(value: number): void;
  /** Moves with progress and with what was measured since the last call. */
  update(progress: number, statistics: Statistics): void;
}

/** From one number to another, in a straight line. */
export const linear = (from: number, to: number, over?: number): Schedule => ({
  signal: "linear",
  from,
  to,
  over,
});
/** From one number to another along half a cosine: slow, fast, slow. */
export const cosine = (from: number, to: number, over?: number): Schedule => ({
  signal: "cosine",
  from,
  to,
  over,
});
/** From one number to another by equal factors. */
export const exponential = (from: number, to: number, over?: number): Schedule => ({
  signal: "exponential",
  from,
  to,
  over,
});
/** Straight lines between points (progress, value). */
export const piecewise = (...points: (readonly [number, number])[]): Schedule => ({
  signal: "piecewise",
  points,
});
/** Rises from 0 over a share of the run, then does as `then` says. */
export const warmup = (over: number, then: Setting): Schedule => ({ signal: "warmup", over, then });

type Given<K> = Omit<Extract<Controller, { signal: K }>, "signal">;
/** Proportional-integral control of the value so that a statistic stays at its target. */
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
