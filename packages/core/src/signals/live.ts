import type { Tensor } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { RangeName, UsualRange } from "../range.ts";
import type { LiveSettingState, Scope, Setting } from "../signal.ts";
import { LiveSetting } from "./live-setting.ts";

/** A live setting with one value for the whole run. The host reads `value`; traced code reads `tensor`, a scalar. */
export class LiveValue extends LiveSetting {
  get value(): number {
    return this.now;
  }
  get tensor(): Tensor {
    return this.scalar;
  }
}

/** A live setting that the host reads for each task. */
export class LiveTask extends LiveSetting {
  /** The current value for one task; the run's value if the signal does not distinguish tasks. */
  for(task: string | undefined): number {
    return this.at(task);
  }
}

/** A live setting that traced code reads for each row of the batch; it has no single value. */
export class LiveColumn extends LiveSetting {
  /** The column with each row's value, if it depends on the row's task. */
  get column(): string {
    return `setting/${this.name}`;
  }
  /** Whether the batch provides that column. */
  supplied = false;

  /** The current value for the rows of a task. */
  for(task: string | undefined): number {
    return this.at(task);
  }

  /** A scalar, or one value for each row. */
  over(columns: Columns): Tensor {
    const { setting, scope } = this;
    if (typeof setting !== "number" && setting.signal === "column") return setting.of(columns);
    if (scope !== "task") return this.scalar;
    return (columns[this.column] as Tensor | undefined) ?? fail(this.name, needsTasks(this.column));
  }
}

/** Why a per-task value is impossible for steps without this column. */
export const needsTasks = (column: string): string =>
  `has a number for each task, but these batches have no task ids (no column ${column}). Use a signal with scope run, or a method that learns from whole episodes.`;

/** The live form of a setting, by its scope. */
export type LiveOf<P extends Scope> = P extends "run" ? LiveValue : P extends "task" ? LiveTask : LiveColumn;

/** A setting with its scope and ranges, as its option declares them. */
export interface DeclaredSetting {
  readonly setting: Setting;
  /** Default: the whole run. */
  readonly per?: Scope | undefined;
  readonly within?: RangeName | undefined;
  readonly usual?: UsualRange | undefined;
}

/** Creates a live setting in the form of its scope. */
export function liveSettings(
  name: string,
  { setting, per = "run", within, usual }: DeclaredSetting,
): LiveSettingState {
  const Form = per === "run" ? LiveValue : per === "task" ? LiveTask : LiveColumn;
  return new Form(name, setting, within, usual);
}

/** A single number: a constant, a live setting, or a traced tensor (to differentiate with respect to it). */
export type Scalar = number | LiveValue | Tensor;
/** A single number, or one per row. */
export type SettingValue = Scalar | LiveColumn;

/** The value of a setting in traced code: a scalar, or one per row of the batch. */
export function settingAt(setting: SettingValue, columns: Columns): Tensor | number {
  return setting instanceof LiveColumn ? setting.over(columns) : valueOf(setting);
}

/** The value of a setting in traced code, equal for all rows. */
export function valueOf(setting: Scalar): Tensor | number {
  return setting instanceof LiveValue ? setting.tensor : setting;
}
