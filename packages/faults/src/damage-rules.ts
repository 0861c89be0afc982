import { basename } from "node:path";
import type { Likeness } from "./compare.ts";
import type { Reference } from "./reference.ts";

/** What is known of a command that met a damaged file and ended well, although something differs. */
export interface Deviation {
  /** The damaged file, below the folder. */
  readonly name: string;
  /** Whether the damage is one that every reader can notice. */
  readonly coarse: boolean;
  readonly differs: readonly string[];
  /** What it said beside its result. */
  readonly err: string;
  readonly reference: Reference;
}

/** Whether that is as it should be: it said so, or the damage cannot be seen by anybody. Undefined if it is not. */
export function tolerated(d: Deviation): "survived" | "warned" | "undetectable" | undefined {
  const { name, coarse, differs, err, reference } = d;
  if (err.split("\n").some((line) => line.includes(basename(name)) || /damaged|cannot be read/.test(line)))
    return "warned";
  // A checkpoint that is not the last one is skipped, and another is kept in its place.
  const last = `run/checkpoints/${newest(reference.likeness)}/`;
  if (
    name.startsWith("run/checkpoints/") &&
    differs.every((x) => x.startsWith("run/ch") && !x.startsWith(last))
  )
    return "survived";
  // A mark that checkpoints were written: it is made anew with the next one.
  if (name.endsWith("checkpoints.written") && differs.every((x) => x.startsWith(name))) return "survived";
  // Wall-clock times and TensorBoard's copy of the metrics: nothing follows from them.
  if (/times\.jsonl$|events/.test(name)) return "undetectable";
  // Models are in a format of others, without digests; so are episodes, which are to be read by anything.
  if (name.startsWith("model") && !coarse) return "undetectable";
  // Going on, a checkpoint knows the rows before it; who only lists runs believes them.
  if (/metrics\.jsonl$/.test(name) && !coarse && differs.every((x) => x.startsWith("it says")))
    return "undetectable";
  const own = (x: string) => x.includes(basename(name)) || x.startsWith("it says");
  if (/episodes\//.test(name) && !coarse && differs.every(own)) return "undetectable";
  return undefined;
}

const newest = (likeness: Likeness) =>
  Math.max(...Object.keys(likeness).map((name) => Number(/^run\/checkpoints\/(\d+)\//.exec(name)?.[1] ?? 0)));
