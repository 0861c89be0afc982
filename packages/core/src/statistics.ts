import { fail } from "./errors.ts";
import type { Saved, Snapshot } from "./snapshot.ts";

/** A repeated measurement. Stored in an array: fields of an object would put every new number on the heap. */
export class Statistic {
  private readonly numbers = Float64Array.of(Number.NaN, 0, Number.NaN, Number.NaN);

  get last(): number {
    return this.numbers[0];
  }

  /** Number of measurements. */
  get count(): number {
    return this.numbers[1];
  }

  /** Mean of all measurements. */
  get mean(): number {
    return this.numbers[2];
  }

  /** Exponential moving average, over about 20 measurements. */
  get average(): number {
    return this.numbers[3];
  }

  /** Records a measurement. */
  note(value: number): void {
    single[0] = value;
    this.noteFirst(single);
  }

  /** Records the first entry of an array. */
  noteFirst(values: ArrayLike<number>): void {
    const n = this.numbers;
    n[0] = values[0];
    n[1]++;
    if (n[1] === 1) n[2] = n[3] = n[0];
    else {
      n[2] += (n[0] - n[2]) / n[1];
      n[3] += 0.05 * (n[0] - n[3]);
    }
  }

  /** All four numbers, for a snapshot. */
  save(): number[] {
    return Array.from(this.numbers);
  }

  /** Restores four numbers; resets without any. */
  restore(numbers: readonly number[] = [Number.NaN, 0, Number.NaN, Number.NaN]): void {
    this.numbers.set(numbers);
  }
}

const single = new Float64Array(1);

/**
 * The measurements of a run, by name and, if available, by task: solve rates, returns, divergences. Signals and tasks read it.
 * It holds a few numbers per name and task, regardless of the length of the run.
 */
export class Statistics implements Saved {
  private readonly all = new Map<string, Statistic>();
  private readonly watched: { name: string; measured: Statistic }[] = [];
  private readonly tasks = new Map<string, Map<string, Statistic>>();
  private readonly announced = new Set<string>();

  /** Records a measurement of the run or of one task. */
  record(name: string, value: number, task?: string): void {
    if (task === undefined) this.of(name).note(value);
    else {
      let table = this.tasks.get(name);
      if (!table) this.tasks.set(name, (table = new Map()));
      entry(table, task).note(value);
    }
  }

  /** The statistic of a name, created if absent. */
  of(name: string): Statistic {
    return this.all.get(name) ?? this.put(name, new Statistic());
  }

  private put(name: string, measured: Statistic): Statistic {
    this.all.set(name, measured);
    if (/^(loss|gradient)\//.test(name)) this.watched.push({ name, measured });
    return measured;
  }

  /** The statistic of a name, or undefined before the first measurement. */
  get(name: string, task?: string): Statistic | undefined {
    const found = task === undefined ? this.all.get(name) : this.tasks.get(name)?.get(task);
    return found?.count ? found : undefined;
  }

  /** The last measurement, or `otherwise` before the first. */
  last(name: string, otherwise = Number.NaN): number {
    return this.get(name)?.last ?? otherwise;
  }

  /** A loss or gradient whose last measurement is NaN, if any. Called after every round, so it allocates nothing. */
  broken(): string | undefined {
    for (let i = 0; i < this.watched.length; i++) {
      const { name, measured } = this.watched[i];
      if (measured.count > 0 && Number.isNaN(measured.last)) return name;
    }
    return undefined;
  }

  /** Names measured for the run so far. */
  names(): string[] {
    return [...this.all.keys()];
  }

  /** Announces names that will be measured later, so that signals may follow them. */
  announce(names: readonly string[]): void {
    for (let i = 0; i < names.length; i++) this.announced.add(names[i]);
  }

  /** Every name that was measured, of the run or of a task, or that was announced. */
  known(): string[] {
    return [...new Set([...this.names(), ...this.tasks.keys(), ...this.announced])];
  }

  /** The statistic of `name` for each task. */
  byTask(name: string): ReadonlyMap<string, Statistic> {
    return this.tasks.get(name) ?? new Map();
  }

  save(): Snapshot {
    // Lists keep the order of names; records would sort names that look like numbers.
    const table = (m: Map<string, Statistic>) => [...m].map(([k, v]) => [k, v.save()]);
    return { all: table(this.all), tasks: [...this.tasks].map(([k, m]) => [k, table(m)]) };
  }

  restore(from: Snapshot): void {
    type Table = [string, number[]][];
    const { all, tasks } = from as { all: Table; tasks: [string, Table][] };
    if (!Array.isArray(all) || !Array.isArray(tasks))
      fail(
        "restore",
        "the checkpoint's statistics were written by another version of Reins. Resume with that version, or start a new run.",
      );
    // Callers hold references to the entries, but names must have the order of their first measurement.
    const known = new Map(this.all);
    const numbers = new Map(all);
    this.all.clear();
    this.watched.length = 0;
    for (const name of new Set([...numbers.keys(), ...known.keys()])) {
      const measured = known.get(name) ?? new Statistic();
      measured.restore(numbers.get(name));
      this.put(name, measured);
    }
    this.tasks.clear();
    for (const [name, saved] of tasks) {
      const table = new Map<string, Statistic>();
      for (const [k, numbers] of saved) entry(table, k).restore(numbers);
      this.tasks.set(name, table);
    }
  }
}

function entry(table: Map<string, Statistic>, name: string): Statistic {
  let m = table.get(name);
  if (!m) table.set(name, (m = new Statistic()));
  return m;
}
