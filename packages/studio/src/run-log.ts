import { parseRow, type Row } from "@reins/core/directory";
import type { LineReader } from "./growing-file.ts";
import type { RunEvent } from "./run-wire.ts";

/** Maximum number of events kept: the last ones. */
const mostEvents = 500;
/** Maximum number of metric names and of their characters, since a file may hold anything. */
const mostNames = 10_000;
const longest = 200;
/** Maximum number of row patterns. */
const mostShapes = 8;

/** The metric names and events of a log. */
export class RunLog implements LineReader {
  readonly names = new Set<string>();
  private found: RunEvent[] = [];
  /** Names of rows seen once, and patterns of rows seen twice. */
  private readonly once = new Set<string>();
  private shapes: RegExp[] = [];

  /** Oldest first. */
  get events(): readonly RunEvent[] {
    return this.found.slice(-mostEvents);
  }

  take(lines: Buffer): void {
    const text = lines.toString("utf8");
    for (let from = 0; from < text.length; ) {
      const known = this.skip(text, from);
      const to = known ?? text.indexOf("\n", from) + 1;
      if (known === undefined) this.note(parseRow(text.slice(from, to)));
      from = to;
    }
  }

  forget(): void {
    this.names.clear();
    this.once.clear();
    [this.found, this.shapes] = [[], []];
  }

  /** The start of the next line, if this one matches a known pattern and needs no parsing. */
  private skip(text: string, from: number): number | undefined {
    for (const shape of this.shapes) {
      shape.lastIndex = from;
      if (shape.test(text)) return shape.lastIndex;
    }
    return undefined;
  }

  private note(row: Row | undefined): void {
    if (!row) return;
    const names = Object.keys(row);
    for (const name of names)
      if (this.names.size < mostNames && name.length <= longest && name !== "step") this.names.add(name);
    const event = eventIn(row);
    if (!event) return this.learn(names);
    this.found.push(event);
    if (this.found.length > 2 * mostEvents) this.found = this.found.slice(-mostEvents);
  }

  /** Most rows of a log share a few sets of names. */
  private learn(names: readonly string[]): void {
    if (this.shapes.length === mostShapes || names.length > longest) return;
    const key = JSON.stringify(names);
    if (this.once.has(key)) this.shapes.push(shapeOf(names));
    else if (this.once.size === mostShapes) this.once.clear();
    this.once.add(key);
  }
}

/** The pattern of a line with these names in this order and plain values. */
function shapeOf(names: readonly string[]): RegExp {
  const escaped = (name: string) => JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`\\{${names.map((name) => `${escaped(name)}:[^,{}\\n]*`).join(",")}\\}\\n`, "y");
}

/** The event of a row; rows of events contain nothing else. */
function eventIn({ step, ...row }: Row): RunEvent | undefined {
  const names = Object.keys(row);
  if (names.length === 0 || names.length > 8 || names.some((name) => name.length > longest)) return undefined;
  const value = (name: string) => (Number.isFinite(row[name]) ? row[name] : null);
  if (names.every((name) => name.startsWith("evaluation/")))
    return { step, kind: "measured", values: Object.fromEntries(names.map((n) => [n.slice(11), value(n)])) };
  if (names.length === 1 && names[0].startsWith("setting/"))
    return { step, kind: "changed", values: { [names[0].slice(8)]: value(names[0]) } };
  return undefined;
}
