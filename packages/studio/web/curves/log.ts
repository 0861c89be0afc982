import { ofRun, stretchOf } from "../api.ts";
import { Growable } from "./growable.ts";

/** Columns of a run's log, read from where they ended last time. Each set of names is read by itself. */
export class Log {
  private readonly path: string;
  private readonly groups: Group[] = [];

  constructor(run: string, log: "metrics" | "times") {
    this.path = ofRun(run, "columns", log);
  }

  /** Some columns by name, with the steps of their rows. Those that are not known yet are read from the beginning. */
  async read(names: readonly string[], more?: () => void): Promise<boolean> {
    const known = new Set(this.groups.flatMap(({ names }) => names));
    const unknown = names.filter((n) => !known.has(n));
    if (unknown.length > 0) this.groups.push(new Group(unknown));
    const changed = await Promise.all(this.groups.map((g) => g.read(this.path, more)));
    return changed.some(Boolean);
  }

  /** A column, and the steps beside it. */
  column(name: string): { step: Growable; value: Growable; version: number } | undefined {
    const group = this.groups.find(({ names }) => names.includes(name));
    return (
      group && { step: group.step, value: group.columns[group.names.indexOf(name)], version: group.version }
    );
  }
}

class Group {
  readonly names: readonly string[];
  step = new Growable();
  columns: Growable[];
  /** Counts how often all was read anew. */
  version = 0;
  private next = 0;
  private mark: number | null = null;
  private reading = false;

  constructor(names: readonly string[]) {
    this.names = names;
    this.columns = names.map(() => new Growable());
  }

  async read(path: string, more?: () => void): Promise<boolean> {
    if (this.reading) return false;
    this.reading = true;
    let changed = false;
    try {
      for (let again = true; again; ) {
        const query = new URLSearchParams({ from: `${this.next}` });
        if (this.mark !== null) query.set("mark", `${this.mark}`);
        for (const name of this.names) query.append("name", name);
        const { head, columns } = await stretchOf(`${path}?${query}`);
        if (head.anew) this.forget();
        this.step.push(columns[0]);
        this.columns.forEach((c, i) => c.push(columns[i + 1]));
        [this.next, this.mark] = [head.next, head.mark];
        changed ||= head.rows > 0 || head.anew;
        again = head.more;
        if (again) more?.();
      }
    } finally {
      this.reading = false;
    }
    return changed;
  }

  private forget(): void {
    this.version++;
    [this.next, this.mark] = [0, null];
    this.step = new Growable();
    this.columns = this.names.map(() => new Growable());
  }
}
