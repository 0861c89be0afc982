import { scalar, type Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { checkUsualRange, clampInto, type RangeName, type UsualRange } from "../range.ts";
import { type Controller, type LiveSettingState, type Scope, type Setting, scopeOf } from "../signal.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Statistics } from "../statistics.ts";
import { controller } from "./controllers.ts";
import type { Mechanism } from "./mechanism.ts";
import { isSchedule, schedule } from "./schedules.ts";

/** The signal of one task, created when the task first appears. */
interface OfTask {
  readonly mechanism: Mechanism;
  value: number;
  seen: number;
}

/** Common to live settings of all scopes: how the value changes, and how it is saved. */
export abstract class LiveSetting implements LiveSettingState {
  readonly name: string;
  readonly setting: Setting;
  /** The scope of the signal. */
  readonly scope: Scope;
  /** The usual range from its description. */
  readonly usual: UsualRange | undefined;
  /** The allowed range; a controller is clamped to it. */
  private readonly within: RangeName;
  /** The current value; compiled functions read it at every call, so a change costs nothing. */
  protected readonly scalar: Tensor;
  private readonly mechanism: Mechanism | undefined;
  private readonly tasks = new Map<string, OfTask>();
  private seen = 0;
  private fixed = false;
  private exact: number;
  /** The constant with which the algorithm left out a part: a loss term, a reward term, a limit. */
  private off: number | undefined;

  constructor(name: string, setting: Setting, within: RangeName = "any", usual?: UsualRange) {
    this.name = name;
    this.usual = usual;
    this.within = within;
    this.setting = setting;
    this.scope = scopeOf(setting);
    this.mechanism = typeof setting === "number" ? undefined : mechanismOf(setting);
    this.exact = typeof setting === "number" ? setting : (this.mechanism?.initial ?? Number.NaN);
    this.scalar = scalar(this.exact);
  }

  get moves(): boolean {
    return this.mechanism !== undefined;
  }

  /** The run's value for display; undefined if every row has its own. */
  get shown(): number | undefined {
    return Number.isNaN(this.exact) ? undefined : this.exact;
  }

  protected get now(): number {
    return this.exact;
  }

  /** The value for one task: the run's value if the signal does not distinguish tasks, or has not seen this one. */
  protected at(task: string | undefined): number {
    const own = this.fixed || task === undefined ? undefined : this.tasks.get(task);
    return own?.value ?? this.exact;
  }

  /**
   * Whether it is the constant that leaves a part of the algorithm out, such as the weight 0 of a loss term. The run is then compiled
   * without the part, so `set` accepts no other value.
   */
  isOff(off = 0): boolean {
    if (this.setting !== off) return false;
    this.off = off;
    return true;
  }

  /** Replaces the signal by a number, from now on. */
  set(value: number): void {
    if (this.scope === "sample" || this.scope === "token")
      fail(
        this.name,
        "is computed per row of the batch, so it cannot be set during a run. Give it a number when the run starts.",
      );
    checkUsualRange("set", this.name, value, this.within);
    if (this.off !== undefined && value !== this.off)
      fail(
        this.name,
        `was ${this.off} when the run began, so the run is compiled without it and ${value} would have no effect. Start a new run with ${this.name} ${value}; it can start from the weights of this one (--from, or --env-folder on language tasks).`,
      );
    this.fixed = true;
    this.write(value);
  }

  /** Updates the value with progress and the measurements since the last call. */
  update(progress: number, statistics: Statistics): void {
    const { mechanism, setting } = this;
    if (!mechanism || this.fixed || typeof setting === "number") return;
    if (mechanism.at) this.write(mechanism.at(progress));
    else {
      const { of, scope } = setting as Controller;
      const measured = statistics.get(of);
      if (measured && measured.count > this.seen) {
        this.seen = measured.count;
        if (Number.isFinite(measured.last)) this.write(this.moved(mechanism, measured.last));
      }
      if (scope === "task") this.updateTasks(setting as Controller, statistics);
    }
  }

  private updateTasks(setting: Controller, statistics: Statistics): void {
    for (const [task, measured] of statistics.byTask(setting.of)) {
      let own = this.tasks.get(task);
      if (!own) {
        const mechanism = controller(setting);
        own = { mechanism, value: mechanism.initial, seen: 0 };
        this.tasks.set(task, own);
      }
      if (measured.count > own.seen) {
        own.seen = measured.count;
        if (Number.isFinite(measured.last)) own.value = this.moved(own.mechanism, measured.last);
      }
    }
  }

  private moved(mechanism: Mechanism, measured: number): number {
    return clampInto(this.within, mechanism.observe!(measured));
  }

  private write(value: number): void {
    this.exact = value;
    this.scalar.data[0] = value;
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
      fail(
        "restore",
        `the checkpoint has no value for the setting ${this.name}: another version of Reins wrote it. Resume with that version, or start a new run.`,
      );
    this.write(s.value ?? Number.NaN);
    this.fixed = s.fixed;
    this.seen = s.seen;
    if (s.mechanism !== null) this.mechanism?.restore?.(s.mechanism);
    this.tasks.clear();
    // A fork may have another signal, which starts from its initial value.
    if (this.scope !== "task") return;
    for (const [task, t] of Object.entries(s.tasks)) {
      const mechanism = controller(this.setting as Controller);
      if (t.mechanism !== null) mechanism.restore?.(t.mechanism);
      this.tasks.set(task, { mechanism, value: t.value, seen: t.seen });
    }
  }
}

/** The mechanism of a signal; columns have none. */
function mechanismOf(setting: Exclude<Setting, number>): Mechanism | undefined {
  if (setting.signal === "column") return undefined;
  return isSchedule(setting) ? schedule(setting) : controller(setting as Controller);
}
