import { parseRow } from "@reins/core/directory";
import type { RunsFolder } from "./folder.ts";
import { LinesIndex } from "./lines-index.ts";
import type { RunEvent } from "./wire.ts";

/** Most events of a run that are shown: the last ones. */
const most = 500;

/** What happened in runs beside their rounds, as their rows say: that they were measured, that a setting was changed. */
export class RunEvents {
  private readonly folder: RunsFolder;
  private readonly known = new Map<string, LinesIndex<RunEvent>>();

  constructor(folder: RunsFolder) {
    this.folder = folder;
  }

  /** The events of a run, oldest first. What was read of its log is not read again. */
  async list(name: string): Promise<RunEvent[]> {
    const path = await this.folder.fileOf(name, "metrics.jsonl");
    if (path === undefined) return [];
    const index = this.known.get(path) ?? new LinesIndex(path, eventIn);
    this.known.set(path, index);
    return (await index.lines()).slice(-most).map(({ head }) => head);
  }
}

/** Rows of events are by themselves: they have nothing else. */
function eventIn(line: unknown): RunEvent | undefined {
  const { step, ...row } = parseRow(JSON.stringify(line)) ?? { step: Number.NaN };
  const names = Object.keys(row);
  if (!Number.isFinite(step) || names.length === 0 || names.length > 8) return undefined;
  const value = (name: string) => (Number.isFinite(row[name]) ? row[name] : null);
  if (names.every((name) => name.startsWith("evaluation/")))
    return { step, kind: "measured", values: Object.fromEntries(names.map((n) => [n.slice(11), value(n)])) };
  if (names.length === 1 && names[0].startsWith("setting/"))
    return { step, kind: "changed", values: { [names[0].slice(8)]: value(names[0]) } };
  return undefined;
}
