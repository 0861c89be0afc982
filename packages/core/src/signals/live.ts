import { scalar, type Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Controller, Setting } from "../signal.ts";
import type { Saved, Snapshot } from "../snapshot.ts";
import type { Statistics } from "../statistics.ts";
import type { Columns } from "../target.ts";
import { controller } from "./controllers.ts";
import type { Mechanism } from "./mechanism.ts";
import { isSchedule, schedule } from "./schedules.ts";

/**
 * A setting at work in one process. The host reads `value`; traced code reads `tensor`, a scalar that compiled functions look up at every
 * call, so a change costs nothing; losses call `over(columns)`, which is the scalar or, for column signals, a value a row.
 */
export class Live implements Saved {
  readonly name: string;
  readonly setting: Setting;
  readonly tensor: Tensor;
  private readonly mechanism: Mechanism | undefined;
  /** One mechanism for each task, made when the task is first met. */
  private readonly tasks = new Map<string, { mechanism: Mechanism; value: number; seen: number }>();
  private seen = 0;
  private fixed = false;

  constructor(name: string, setting: Setting) {
    this.name = name;
    this.setting = setting;
    if (typeof setting === "number") this.mechanism = undefined;
    else if (setting.signal === "column") this.mechanism = undefined;
    else this.mechanism = mechanismOf(setting);
    this.tensor = scalar(typeof setting === "number" ? setting : (this.mechanism?.initial ?? Number.NaN));
    this.exact = typeof setting === "number" ? setting : (this.mechanism?.initial ?? Number.NaN);
  }

  private exact: number;

  /** Whether it ever changes by itself. */
  get moves(): boolean {
    return this.mechanism !== undefined;
  }

  /** The present value, for the host. */
  get value(): number {
    return this.exact;
  }

  /** The present value for one task; the run's own where the signal does not distinguish tasks. */
  for(task: string): number {
    return this.tasks.get(task)?.value ?? this.exact;
  }

  /** The value in traced code: a scalar, or one for each row of the batch. */
  over(columns: Columns): Tensor {
    const { setting } = this;
    if (typeof setting !== "number") {
      if (setting.signal === "column") return setting.of(columns);
      if ("scope" in setting && setting.scope === "task") {
        const own = columns[`setting/${this.name}`];
        return own ? (own as Tensor) : this.tensor;
      }
    }
    return this.tensor;
  }

  /** Replaces the signal by a number, from now on. */
  set(value: number): void {
    this.fixed = true;
    this.write(value);
  }

  /** Moves with progress and with what was measured since the last call. */
  update(progress: number, statistics: Statistics): void {
    const { mechanism, setting } = this;
    if (!mechanism || this.fixed || typeof setting === "number") return;
    if (mechanism.at) this.write(mechanism.at(progress));
    else {
      const { of, scope } = setting as Controller;
      const measured = statistics.get(of);
      if (measured && measured.count > this.seen) {
        this.seen = measured.count;
        if (Number.isFinite(measured.last)) this.write(mechanism.observe!(measured.last));
      }
      if (scope === "task") this.updateTasks(setting as Controller, statistics);
    }
  }

  private updateTasks(setting: Controller, statistics: Statistics): void {
    for (const [task, measured] of statistics.byTask(setting.of)) {
      let own = this.tasks.get(task);
      if (!own) {
        const mechanism = mechanismOf(setting);
        own = { mechanism, value: mechanism.initial, seen: 0 };
        this.tasks.set(task, own);
      }
      if (measured.count > own.seen) {
        own.seen = measured.count;
        own.value = own.mechanism.observe!(measured.last);
      }
    }
  }

  private write(value: number): void {
    this.exact = value;
    this.tensor.data[0] = value;
  }

  save(): Snapshot {
    return {
      value: this.exact,
      fixed: this.fixed,
      seen: this.seen,
      mechanism: this.mechanism?.save?.() ?? null,
      tasks: Object.fromEntries(
        [...this.tasks].map(([k, t]) => [
          k,
          { value: t.value, seen: t.seen, mechanism: t.mechanism.save?.() ?? null },
        ]),
      ),
    };
  }

  restore(from: Snapshot): void {
    const s = from as {
      value: number;
      fixed: boolean;
      seen: number;
      mechanism: Snapshot;
      tasks: Record<string, { value: number; seen: number; mechanism: Snapshot }>;
    };
    if (typeof s?.value !== "number" && s?.value !== null)
      fail("restore", `the checkpoint has no value for the setting ${this.name}.`);
    this.write(s.value ?? Number.NaN);
    this.fixed = s.fixed;
    this.seen = s.seen;
    if (s.mechanism !== null) this.mechanism?.restore?.(s.mechanism);
    this.tasks.clear();
    for (const [task, t] of Object.entries(s.tasks)) {
      const mechanism = mechanismOf(this.setting as Controller);
      if (t.mechanism !== null) mechanism.restore?.(t.mechanism);
      this.tasks.set(task, { mechanism, value: t.value, seen: t.seen });
    }
  }
}

function mechanismOf(setting: Exclude<Setting, number>): Mechanism {
  if (setting.signal === "column") fail("signal", "a column signal has no state.");
  return isSchedule(setting) ? schedule(setting) : controller(setting as Controller);
}

/** What a part accepts as a setting: a number, one alive, or a traced tensor (to differentiate with respect to it). */
export type Adjustable = number | Live | Tensor;

/** The value of a setting in traced code: a scalar, or one for each row of the batch. */
export function over(setting: Adjustable, columns: Columns): Tensor | number {
  return setting instanceof Live ? setting.over(columns) : setting;
}

/** The value of a setting in traced code that is one for all rows. */
export function valueOf(setting: Adjustable): Tensor | number {
  return setting instanceof Live ? setting.tensor : setting;
}
