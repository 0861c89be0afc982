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

/** The version of the files in a checkpoint; a reader refuses others. */
export const checkpointFormat = 1;

/** What a checkpoint says about itself. */
export interface CheckpointHead {
  readonly format: number;
  /** The version of Reins that wrote it. */
  readonly reins: string;
  readonly algorithm: string;
  readonly env: string;
  /** Environment steps taken so far. */
  readonly steps: number;
  /** By which the best checkpoint is chosen; absent before the first episode ended. */
  readonly score?: number;
  /** What of the run's configuration decides its numbers. This and what follows is not in older ones. */
  readonly config?: Json;
  /** Environment steps that the run was to take. */
  readonly budget?: number;
  /** The rows of metrics that there were. */
  readonly log?: Written;
  /** The number of the last episode that was kept. */
  readonly episodes?: number;
  /** Checkpoints that were kept, beside the best one. */
  readonly keep?: number;
}

type Body = CheckpointHead & { readonly arrays: Digest; readonly state: Json };

/** Writes a checkpoint into an empty folder: the arrays first, then `state.json`, which vouches for both. */
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
  // The digest is of all that follows it.
  text.overwrite(sha256(text.bytes.subarray(start, text.length)), '{"sha256":"'.length);
  writeDurably(files, join(folder, "state.json"), text.bytes.subarray(0, text.length));
  syncFolder(files, folder);
}

/** Kept, since every checkpoint of a run needs about as much. */
const text = new JsonText();
const ascii = (value: unknown) =>
  JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Reads `state.json`. Throws if it is damaged; another format is for the caller to refuse. */
export function readHead(folder: string): Body {
  const bytes = readBuffer(join(folder, "state.json"));
  const match = /^\{"sha256":"([0-9a-f]{64})",/.exec(bytes.toString("latin1", 0, 80));
  const body = match && bytes.subarray(match[0].length);
  if (!body || sha256(body) !== match[1])
    fail(join(folder, "state.json"), "is damaged (its digest differs).");
  return JSON.parse(`{${body.toString()}`) as Body;
}

/** Whether every byte of a checkpoint is as it was written, without the memory to hold it. */
export function isWhole(folder: string): boolean {
  try {
    return damageOf(join(folder, "state.safetensors"), readHead(folder).arrays) === undefined;
  } catch {
    return false;
  }
}

/** Reads a whole checkpoint. Throws if any byte of it is not as it was written. */
export function readCheckpoint(folder: string, { arrays, state }: Body = readHead(folder)): Snapshot {
  const tensors = new Set<string>();
  noteTensors(state, tensors);
  return decode(
    state,
    readArrays(join(folder, "state.safetensors"), arrays, (name) => tensors.has(name)),
  );
}

function noteTensors(tree: Json, names: Set<string>): void {
  if (tree === null || typeof tree !== "object") return;
  if ("$tensor" in tree) names.add(tree.$tensor as string);
  else for (const below of Object.values(tree)) noteTensors(below, names);
}
