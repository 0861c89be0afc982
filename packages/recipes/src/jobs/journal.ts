import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** The content of a line. */
interface Line<T, R> {
  readonly stamp?: string;
  readonly task: T;
  readonly result: R;
}

/**
 * A log of task results, one per line, so that an interrupted measurement can resume. Tasks are plain data, equal if
 * their JSON is. Results with another stamp, such as those of other code, are not used, but their tasks are listed.
 */
export class Journal<T, R> {
  private readonly path: string;
  private readonly stamp: string | undefined;
  private readonly known = new Map<string, R>();
  /** Tasks with results under another stamp. */
  readonly overtaken: T[] = [];
  /** Whether the last line is incomplete, so that the next one must start on a new line. */
  private torn = false;

  constructor(path: string, stamp?: string) {
    this.path = path;
    this.stamp = stamp;
    if (!existsSync(path)) return;
    const text = readFileSync(path, "utf8");
    this.torn = text !== "" && !text.endsWith("\n");
    for (const line of text.split("\n")) {
      try {
        const { stamp: of, task, result } = JSON.parse(line) as Partial<Line<T, R>>;
        // Ignore lines of another format.
        if (task === undefined || result === undefined) continue;
        if (of === stamp) this.known.set(JSON.stringify(task), result);
        else this.overtaken.push(task);
      } catch {
        // A killed process leaves an incomplete line.
      }
    }
  }

  find(task: T): R | undefined {
    return this.known.get(JSON.stringify(task));
  }

  /** All results under this stamp, in order. */
  entries(): { readonly task: T; readonly result: R }[] {
    return [...this.known].map(([task, result]) => ({ task: JSON.parse(task) as T, result }));
  }

  add(task: T, result: R): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const line: Line<T, R> = { stamp: this.stamp, task, result };
    appendFileSync(this.path, `${this.torn ? "\n" : ""}${JSON.stringify(line)}\n`);
    this.torn = false;
    this.known.set(JSON.stringify(task), result);
  }

  remove(): void {
    rmSync(this.path, { force: true });
    this.known.clear();
    this.overtaken.length = 0;
    this.torn = false;
  }
}
