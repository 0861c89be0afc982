import { ofRun, readColumns } from "../api.ts";
import { Column } from "./column.ts";
import { Growable } from "./growable.ts";

/** Columns of a run's log, read incrementally. Each set of names is read separately. */
export class Log {
  private readonly path: string;
  private readonly groups: Group[] = [];

  constructor(run: string, log: "metrics" | "times") {
    this.path = ofRun(run, "columns", log);
  }

  /** Reads new rows of some columns, and new columns from the beginning. */
  async read(names: readonly string[], more?: () => void): Promise<boolean> {
    const known = new Set(this.groups.flatMap(({ names }) => names));
    const unknown = names.filter((n) => !known.has(n));
    if (unknown.length > 0) this.groups.push(new Group(unknown));
    const changed = await Promise.all(this.groups.map((g) => g.read(this.path, more)));
    return changed.some(Boolean);
  }

  /** A column, as far as it is loaded. */
  column(name: string): Column | undefined {
    const group = this.groups.find(({ names }) => names.includes(name));
    return group?.columns[group.names.indexOf(name)];
  }
}

class Group {
  readonly names: readonly string[];
  columns: readonly Column[] = [];
  private step = new Growable();
  private next = 0;
  private mark: number | null = null;
  private reading = false;

  constructor(names: readonly string[]) {
    this.names = names;
    this.forget();
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
        const { head, columns } = await readColumns(`${path}?${query}`);
        if (head.anew) this.forget();
        this.columns.forEach((c, i) => c.take(columns[0], columns[i + 1]));
        this.step.push(columns[0]);
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
    [this.next, this.mark] = [0, null];
    this.step = new Growable();
    this.columns = this.names.map(() => new Column(this.step));
  }
}
