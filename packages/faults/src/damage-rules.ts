import { basename } from "node:path";
import type { FolderState } from "./compare.ts";
import type { Reference } from "./reference.ts";

/** The result of a command that met a damaged file and succeeded, although something differs. */
export interface Deviation {
  /** The damaged file, relative to the folder. */
  readonly name: string;
  /** Whether every reader can detect the damage. */
  readonly coarse: boolean;
  readonly differs: readonly string[];
  /** Its standard error. */
  readonly err: string;
  readonly reference: Reference;
}

/** How the difference is acceptable: it was reported, or the damage is undetectable. Undefined if it is not acceptable. */
export function tolerated(d: Deviation): "survived" | "warned" | "undetectable" | undefined {
  const { name, coarse, differs, err, reference } = d;
  if (err.split("\n").some((line) => line.includes(basename(name)) || /damaged|cannot be read/.test(line)))
    return "warned";
  // A damaged checkpoint that is not the last one is skipped, and another is kept instead.
  const last = `run/checkpoints/${newest(reference.state)}/`;
  if (
    name.startsWith("run/checkpoints/") &&
    differs.every((x) => x.startsWith("run/ch") && !x.startsWith(last))
  )
    return "survived";
  // A marker that checkpoints were written: the next checkpoint recreates it.
  if (name.endsWith("checkpoints.written") && differs.every((x) => x.startsWith(name))) return "survived";
  // Wall-clock times and TensorBoard's copy of the metrics have no consequences.
  if (/times\.jsonl$|events/.test(name)) return "undetectable";
  // Models have a third-party format without digests; so do episodes, which any tool should read.
  if (name.startsWith("model") && !coarse) return "undetectable";
  // On resume, a checkpoint checks the rows before it; a listing of runs trusts them.
  if (/metrics\.jsonl$/.test(name) && !coarse && differs.every((x) => x.startsWith("it says")))
    return "undetectable";
  const own = (x: string) => x.includes(basename(name)) || x.startsWith("it says");
  if (/episodes\//.test(name) && !coarse && differs.every(own)) return "undetectable";
  return undefined;
}

const newest = (state: FolderState) =>
  Math.max(...Object.keys(state).map((name) => Number(/^run\/checkpoints\/(\d+)\//.exec(name)?.[1] ?? 0)));
