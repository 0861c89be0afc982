import { join } from "node:path";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import { readArrays, writeArrays } from "./arrays.ts";
import { type Digest, damageOf, sha256 } from "./digest.ts";
import { type Files, syncFolder, writeDurably } from "./files.ts";
import type { Written } from "./lines.ts";
import { readBuffer } from "./plain-buffer.ts";
import { JsonText } from "./text.ts";
import { type Arrays, decode, encodeTo, type Json } from "./tree.ts";

/** Version of the files in a checkpoint; readers refuse others. */
export const checkpointFormat = 1;

/** Header of a checkpoint. */
export interface CheckpointHead {
  readonly format: number;
  /** The version of Reins that wrote it. */
  readonly reins: string;
  readonly algorithm: string;
  readonly env: string;
  /** Environment steps so far. */
  readonly steps: number;
  /** Score that selects the best checkpoint; absent before the first episode ends. */
  readonly score?: number;
  /** The part of the configuration that determines the numbers. This and the following fields are missing in older checkpoints. */
  readonly config?: Json;
  /** Total environment steps of the run. */
  readonly budget?: number;
  /** Rows of metrics up to this checkpoint. */
  readonly log?: Written;
  /** Number of the last saved episode. */
  readonly episodes?: number;
  /** Checkpoints to keep, beside the best one. */
  readonly keep?: number;
}

type Body = CheckpointHead & { readonly arrays: Digest; readonly state: Json };

/** Writes a checkpoint to an empty folder: arrays first, then `state.json`, which holds the digests of both. */
export function writeCheckpoint(
  files: Files,
  folder: string,
  head: CheckpointHead,
  snapshot: Snapshot,
): void {
  const found: Arrays = new Map();
  text.clear().raw(`{"sha256":"${"0".repeat(64)}",`);
  const start = text.length;
  text.raw('"state":');
  encodeTo(text, snapshot, found);
  const arrays = writeArrays(files, join(folder, "state.safetensors"), found);
  for (const [name, value] of Object.entries({ ...head, arrays })) text.raw(",").name(name).raw(ascii(value));
  text.raw("}\n");
  // The digest covers everything after it.
  text.overwrite(sha256(text.bytes.subarray(start, text.length)), '{"sha256":"'.length);
  writeDurably(files, join(folder, "state.json"), text.bytes.subarray(0, text.length));
  syncFolder(files, folder);
}

/** Reused, since every checkpoint of a run needs about as much. */
const text = new JsonText();
const ascii = (value: unknown) =>
  JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Reads `state.json`. Throws if it is damaged; the caller refuses other formats. */
export function readHead(folder: string): Body {
  const bytes = readBuffer(join(folder, "state.json"));
  const match = /^\{"sha256":"([0-9a-f]{64})",/.exec(bytes.toString("latin1", 0, 80));
  const body = match && bytes.subarray(match[0].length);
  if (!body || sha256(body) !== match[1])
    fail(join(folder, "state.json"), "is damaged (its digest differs).");
  const read = JSON.parse(`{${body.toString()}`) as Body;
  for (const name of ["format", "steps", "score", "budget", "episodes"] as const)
    if (read[name] !== undefined && read[name] !== null && typeof read[name] !== "number")
      fail(join(folder, "state.json"), `has a field ${name} that is not a number.`);
  return read;
}

/** Whether every byte of a checkpoint is intact, without loading it into memory. */
export function isWhole(folder: string): boolean {
  try {
    return damageOf(join(folder, "state.safetensors"), readHead(folder).arrays) === undefined;
  } catch {
    return false;
  }
}

/** Reads a whole checkpoint. Throws if any byte is damaged. */
export function readCheckpoint(folder: string, { arrays, state }: Body = readHead(folder)): Snapshot {
  if (isDeeper(state, deepest))
    fail(join(folder, "state.json"), `its state is nested more than ${deepest} levels deep. It is damaged.`);
  const tensors = new Set<string>();
  noteTensors(state, tensors);
  return decode(
    state,
    readArrays(join(folder, "state.safetensors"), arrays, (name) => tensors.has(name)),
  );
}

/** Maximum nesting depth of state, which is walked recursively. */
const deepest = 256;

/** Whether a value is nested more than `most` levels deep. */
function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most && level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const part of level)
      if (typeof part === "object" && part !== null)
        for (const inner of Object.values(part)) below.push(inner);
    level = below;
  }
  return level.length > 0;
}

function noteTensors(tree: Json, names: Set<string>): void {
  if (tree === null || typeof tree !== "object") return;
  if ("$tensor" in tree) names.add(tree.$tensor as string);
  else for (const below of Object.values(tree)) noteTensors(below, names);
}
