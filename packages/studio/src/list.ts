import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type RunRecord, readRun } from "@reins/core/directory";
import type { RunsFolder } from "./folder.ts";
import { noMarks, readMarks } from "./marks.ts";
import { runReader } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";
import { isBounds } from "./return-bounds.ts";
import { fieldsOf, namesIn, type RunFields } from "./run-fields.ts";
import type { FieldNames, FieldValue, RunLine } from "./run-wire.ts";

/** Files of a run that the list reads. Links are refused. */
const read = ["config.json", "metrics.jsonl", "times.jsonl", "summary.json", "lock"];

/** A cached run, with the modification time of its folder. */
interface Seen {
  readonly changed: number;
  readonly line: RunLine;
  readonly fields?: RunFields;
}

/** A run: its line in the list, and its record if it can be read. */
export interface Look extends Partial<Pick<RunRecord, "config" | "summary">> {
  readonly line: RunLine;
  readonly fields?: RunFields;
}

/** The list of all runs, updated in the background, so that requests do not wait for thousands of runs or a slow disk. */
export class RunList {
  private readonly folder: RunsFolder;
  private readonly seen = new Map<string, Seen>();
  private looking: Promise<void> | undefined;
  /** Number of runs not read yet. */
  waiting = 0;

  constructor(folder: RunsFolder) {
    this.folder = folder;
  }

  /** The runs, newest first, with the requested settings and metrics. Updates the list within a time limit. */
  async lines(patience: number, fields: readonly string[] = []): Promise<RunLine[]> {
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = undefined;
    });
    await Promise.race([this.looking, new Promise((late) => setTimeout(late, patience).unref())]);
    const lines = [...this.seen.values()].map((seen) =>
      fields.length > 0 ? { ...seen.line, fields: chosen(seen.fields, fields) } : seen.line,
    );
    return lines.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  }

  /** Settings and metrics of the runs read so far. */
  names(): FieldNames {
    return namesIn([...this.seen.values()].flatMap(({ fields }) => fields ?? []));
  }

  /** One run, up to date. */
  async look(name: string): Promise<Look> {
    const path = await this.folder.pathOf(name);
    const found = await this.note(name, lstatSync(path).mtimeMs);
    if (!found) throw new Refusal(404, "not a run directory (no config.json)");
    return found;
  }

  private async lookAtAll(): Promise<void> {
    const names = await this.folder.names();
    const there = new Set(names);
    for (const name of this.seen.keys()) if (!there.has(name)) this.seen.delete(name);
    this.waiting = names.filter((name) => !this.seen.has(name)).length;
    let yieldHook = performance.now();
    for (const name of names) {
      await this.again(name);
      this.waiting = Math.max(0, this.waiting - 1);
      if (performance.now() - yieldHook < 20) continue;
      // Yields to other requests.
      await new Promise((turn) => setImmediate(turn));
      yieldHook = performance.now();
    }
    this.waiting = 0;
  }

  /** Reads a run again if it may have changed: its folder was modified, or it is training. */
  private async again(name: string): Promise<void> {
    const known = this.seen.get(name);
    const stat = lstatSync(join(this.folder.root, name), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return void this.seen.delete(name);
    if (known?.changed === stat.mtimeMs && known.line.state !== "running") return;
    await this.note(name, stat.mtimeMs);
  }

  private async note(name: string, changed: number): Promise<Look | undefined> {
    const found = await this.read(name);
    if (found) this.seen.set(name, { changed, line: found.line, fields: found.fields });
    else this.seen.delete(name);
    return found;
  }

  private async read(name: string): Promise<Look | undefined> {
    const path = join(this.folder.root, name);
    try {
      // One directory listing instead of a stat of each file, for lists of a thousand runs.
      const files = new Map(readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, entry]));
      if (!files.has("config.json")) return undefined;
      for (const file of read)
        if (files.get(file)?.isFile() === false)
          throw new Refusal(422, `${file} must be a plain file, not a link or folder`);
      const { tags, note, version } = files.has("studio.json") ? await readMarks(this.folder, name) : noMarks;
      const record = readRun(path, runReader);
      const fields = fieldsOf(record);
      return {
        ...record,
        fields,
        line: { ...lineOf(record), tags, note, notesVersion: version, group: fields.group },
      };
    } catch (error) {
      return { line: unreadable(name, (error as Error).message) };
    }
  }
}

function chosen(fields: RunFields | undefined, names: readonly string[]): Record<string, FieldValue> {
  const found = names.flatMap((name): [string, FieldValue][] => {
    const value = fields?.settings.get(name) ?? fields?.metrics.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

function lineOf({
  entry,
  summary,
  config,
}: RunRecord): Omit<RunLine, "tags" | "note" | "notesVersion" | "group"> {
  const { path: _, status, ...shown } = entry;
  const { steps, budget, seconds } = shown;
  // The summary has the speed without compilation and evaluation.
  const said = Number(summary?.stepsPerSecond);
  const speed = said > 0 ? said : seconds > 0 && steps > 0 ? steps / seconds : undefined;
  return {
    ...shown,
    state: status,
    given: givenIn(config.command),
    ...(status === "crashed"
      ? { problem: summary?.error ?? "its process ended without an error message" }
      : {}),
    ...(isBounds(config.returnBounds) ? { returnBounds: config.returnBounds } : {}),
    return: known(shown.return),
    fresh: known(shown.fresh),
    stepsPerSecond: speed ?? null,
    left: status === "running" && speed && budget > steps ? (budget - steps) / speed : null,
  };
}

/** The flags of a command that distinguish runs: `--learning-rate 3e-4`. */
function givenIn(command: unknown): string {
  if (typeof command !== "string") return "";
  const flags = command.slice(0, 1000).match(/ --[\w-]+(?:[ =](?!--)(?:'[^']*'|\S+))?/g) ?? [];
  const known =
    /^ --(seeds?|directory|name|steps|quiet|json|overwrite|threads|solved|eval-every|eval-episodes)\b/;
  return flags
    .filter((flag) => !known.test(flag))
    .join("")
    .trim();
}

function unreadable(name: string, problem: string): RunLine {
  const empty = { algorithm: "", env: "", seed: 0, steps: 0, budget: 0, seconds: 0, created: "" };
  const unknown = { return: null, fresh: null, stepsPerSecond: null, left: null };
  const none = { given: "", tags: [], note: "", notesVersion: 0, group: `unreadable ${name}` };
  return { name, state: "unreadable", problem, ...empty, ...unknown, ...none };
}

/** NaN as null, for JSON. */
const known = (x: number): number | null => (Number.isFinite(x) ? x : null);
