import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Digest, readArrays, writeArrays } from "./arrays.ts";
import { type Files, syncFolder, writeDurably } from "./files.ts";
import { type Arrays, decode, encode, type Json } from "./tree.ts";

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
  const state = encode(snapshot, found);
  const arrays = writeArrays(files, join(folder, "state.safetensors"), found);
  const body = JSON.stringify({ ...head, arrays, state } satisfies Body);
  writeDurably(files, join(folder, "state.json"), `{"sha256":"${sha256(body)}",${body.slice(1)}`);
  syncFolder(files, folder);
}

/** Reads `state.json`. Throws if it is damaged; another format is for the caller to refuse. */
export function readHead(folder: string): Body {
  const text = readFileSync(join(folder, "state.json"), "utf8");
  const match = /^\{"sha256":"([0-9a-f]{64})",/.exec(text);
  const body = match && `{${text.slice(match[0].length)}`;
  if (!body || sha256(body) !== match[1]) fail(join(folder, "state.json"), "is not as it was written.");
  return JSON.parse(body) as Body;
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

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
