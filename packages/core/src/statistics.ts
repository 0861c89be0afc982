import { fail } from "./errors.ts";
import type { Saved, Snapshot } from "./snapshot.ts";

/** A number that was measured several times. */
export interface Measured {
  last: number;
  /** How often it was measured. */
  count: number;
  /** Mean of all measurements. */
  mean: number;
  /** Exponential moving average, over about 20 measurements. */
  average: number;
}

/**
 * What a run has measured, by name and, where it makes sense, by task: solve rates, returns, divergences. Signals and tasks read it.
 * It holds a few numbers per name and task, however long the run.
 */
export class Statistics implements Saved {
  private readonly all = new Map<string, Measured>();
  private readonly tasks = new Map<string, Map<string, Measured>>();

  /** Notes a measurement, of the run or of one task. */
  record(name: string, value: number, task?: string): void {
    if (task === undefined) note(this.all, name, value);
    else {
      let table = this.tasks.get(name);
      if (!table) this.tasks.set(name, (table = new Map()));
      note(table, task, value);
    }
  }

  /** The measurements of a name, or undefined before the first. */
  get(name: string, task?: string): Measured | undefined {
    return task === undefined ? this.all.get(name) : this.tasks.get(name)?.get(task);
  }

  /** The last measurement, or `otherwise` before the first. */
  last(name: string, otherwise = Number.NaN): number {
    return this.all.get(name)?.last ?? otherwise;
  }

  /** Names measured for the run so far. */
  names(): string[] {
    return [...this.all.keys()];
  }

  /** Tasks for which `name` was measured, with their measurements. */
  byTask(name: string): ReadonlyMap<string, Measured> {
    return this.tasks.get(name) ?? new Map();
  }

  save(): Snapshot {
    const table = (m: Map<string, Measured>) =>
      Object.fromEntries([...m].map(([k, v]) => [k, [v.last, v.count, v.mean, v.average]]));
    return {
      all: table(this.all),
      tasks: Object.fromEntries([...this.tasks].map(([k, m]) => [k, table(m)])),
    };
  }

  restore(from: Snapshot): void {
    const { all, tasks } = from as {
      all: Record<string, number[]>;
      tasks: Record<string, Record<string, number[]>>;
    };
    if (!all || !tasks) fail("restore", "the statistics of the checkpoint are of another version.");
    const fill = (m: Map<string, Measured>, saved: Record<string, number[]>) => {
      m.clear();
      for (const [k, [last, count, mean, average]] of Object.entries(saved))
        m.set(k, { last, count, mean, average });
    };
    fill(this.all, all);
    this.tasks.clear();
    for (const [name, saved] of Object.entries(tasks)) {
      const table = new Map<string, Measured>();
      fill(table, saved);
      this.tasks.set(name, table);
    }
  }
}

function note(table: Map<string, Measured>, name: string, value: number): void {
  const m = table.get(name);
  if (!m) table.set(name, { last: value, count: 1, mean: value, average: value });
  else {
    m.last = value;
    m.count++;
    m.mean += (value - m.mean) / m.count;
    m.average += 0.05 * (value - m.average);
  }
}
