import type { Tensor } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { RangeName, UsualRange } from "../range.ts";
import type { Moving, Scope, Setting } from "../signal.ts";
import { Motion } from "./motion.ts";

/** A setting at work that is one number for the whole run. The host reads `value`; traced code reads `tensor`, a scalar. */
export class Live extends Motion {
  get value(): number {
    return this.now;
  }
  get tensor(): Tensor {
    return this.scalar;
  }
}

/** A setting at work that the host reads for each task. */
export class LiveTask extends Motion {
  /** The present value for one task; the run's own where nothing distinguishes tasks. */
  for(task: string | undefined): number {
    return this.at(task);
  }
}

/** A setting at work that traced code reads for each row of the batch: there is no one number that it is. */
export class LiveColumn extends Motion {
  /** The column that has each row's value where it depends on the row's task. */
  get column(): string {
    return `setting/${this.name}`;
  }
  /** Whether somebody writes that column. */
  supplied = false;

  /** The present value for the rows of a task. */
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

/** Why a number for each task cannot be served by steps that lack this column. */
export const needsTasks = (column: string): string =>
  `has a number for each task, but the steps that are learned from here do not know their task (they have no column ${column}). Take a signal of the run, or a method that learns from whole episodes.`;

/** The form in which a setting of some scope is at work. */
export type LiveOf<P extends Scope> = P extends "run" ? Live : P extends "task" ? LiveTask : LiveColumn;

/** Brings a setting to life in the form that its scope asks for. */
export function bringToLife(
  name: string,
  setting: Setting,
  per: Scope,
  within?: RangeName,
  usual?: UsualRange,
): Moving {
  const Form = per === "run" ? Live : per === "task" ? LiveTask : LiveColumn;
  return new Form(name, setting, within, usual);
}

/** What a part accepts where one number is needed: a number, a setting alive, or a traced tensor (to differentiate with respect to it). */
export type Scalar = number | Live | Tensor;
/** What a part accepts where each row may have its own. */
export type Adjustable = Scalar | LiveColumn;

/** The value of a setting in traced code: a scalar, or one for each row of the batch. */
export function over(setting: Adjustable, columns: Columns): Tensor | number {
  return setting instanceof LiveColumn ? setting.over(columns) : valueOf(setting);
}

/** The value of a setting in traced code that is one for all rows. */
export function valueOf(setting: Scalar): Tensor | number {
  return setting instanceof Live ? setting.tensor : setting;
}
