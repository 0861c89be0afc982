import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** What a line holds. */
interface Line<T, R> {
  readonly stamp?: string;
  readonly task: T;
  readonly result: R;
}

/**
 * Results of tasks as they come, a line each, so that an interrupted measurement goes on where it was. Tasks are plain data, alike if
 * their JSON is. Results with another stamp, such as those of other code, are not used; which tasks they were of is known.
 */
export class Journal<T, R> {
  private readonly path: string;
  private readonly stamp: string | undefined;
  private readonly known = new Map<string, R>();
  /** Tasks that were done under another stamp. */
  readonly overtaken: T[] = [];
  /** Whether the last line was not written to its end: what follows must begin another. */
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
        // A line that is something else is none of ours.
        if (task === undefined || result === undefined) continue;
        if (of === stamp) this.known.set(JSON.stringify(task), result);
        else this.overtaken.push(task);
      } catch {
        // A process that is killed leaves half a line.
      }
    }
  }

  find(task: T): R | undefined {
    return this.known.get(JSON.stringify(task));
  }

  /** All results under this stamp, in the order in which they came. */
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
