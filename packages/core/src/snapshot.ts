import { Tensor, tensor } from "@reins/tensor";
import { fail } from "./errors.ts";

/** Any typed array that can hold the state of a part. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Int16Array
  | Int8Array
  | Uint8Array;

/** The classes of typed arrays, by name. */
export const numberArrays = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Uint16Array,
  Int16Array,
  Int8Array,
  Uint8Array,
} as const;

/** A copy of some state: plain data and typed arrays, which a checkpoint stores exactly. */
export type Snapshot =
  | null
  | boolean
  | number
  | string
  | NumberArray
  | Tensor
  | readonly Snapshot[]
  | { readonly [name: string]: Snapshot };

/** State that can be copied and restored. Restoring changes it in place. */
export interface Saved {
  save(): Snapshot;
  restore(from: Snapshot): void;
}

/**
 * The state of a process by name: parts that save themselves, tensors, typed arrays and plain records of counters, nested. `save` and
 * `restore` walk it, so an algorithm lists its parts once and needs no checkpoint code.
 */
export type Parts = { readonly [name: string]: unknown };

/** Whether `x` saves itself. */
export function isSaved(x: unknown): x is Saved {
  return typeof x === "object" && x !== null && typeof (x as Saved).save === "function" && "restore" in x;
}

/** Whether `x` is a typed array of numbers. */
export function isNumberArray(x: unknown): x is NumberArray {
  return ArrayBuffer.isView(x) && !(x instanceof DataView);
}

/** A deep copy of the state of `part`. */
export function save(part: unknown, path = "state"): Snapshot {
  if (part === undefined || part === null) return null;
  if (part instanceof Tensor) return copyTensor(part);
  if (isNumberArray(part)) return part.slice();
  if (isSaved(part)) return part.save();
  if (typeof part === "number" || typeof part === "string" || typeof part === "boolean") return part;
  if (Array.isArray(part)) return part.map((p, i) => save(p, `${path}.${i}`));
  if (typeof part === "object" && isPlain(part))
    return Object.fromEntries(Object.entries(part).map(([k, v]) => [k, save(v, `${path}.${k}`)]));
  return fail("save", `${path} is a ${typeof part}, which cannot be saved. Implement save() and restore().`);
}

/**
 * Restores a snapshot into `part`, in place: tensors and arrays are overwritten (functions bound to them see it), counters
 * of plain records are set. Returns the value for parts that are plain numbers or strings.
 */
export function restore(part: unknown, from: Snapshot, path = "state"): unknown {
  if (part instanceof Tensor) {
    restoreArray(part.data, from, path, part);
    return part;
  }
  if (isNumberArray(part)) {
    restoreArray(part, from, path);
    return part;
  }
  if (isSaved(part)) {
    part.restore(from);
    return part;
  }
  if (Array.isArray(part)) {
    if (!Array.isArray(from) || from.length !== part.length)
      fail("restore", `${path} has ${part.length} entries, but the checkpoint has ${describe(from)}.`);
    for (let i = 0; i < part.length; i++) part[i] = restore(part[i], from[i], `${path}.${i}`);
    return part;
  }
  if (typeof part === "object" && part !== null && isPlain(part)) {
    const record = part as Record<string, unknown>;
    if (typeof from !== "object" || from === null || Array.isArray(from) || isNumberArray(from))
      fail("restore", `${path} is a record, but the checkpoint has ${describe(from)}.`);
    const saved = from as Record<string, Snapshot>;
    for (const name of Object.keys(record)) {
      if (record[name] === undefined) continue;
      if (!(name in saved))
        fail(
          "restore",
          `the checkpoint has no ${path}.${name}: another version of Reins wrote it. Resume it with that version, or start a new run.`,
        );
      record[name] = restore(record[name], saved[name], `${path}.${name}`);
    }
    return part;
  }
  return from;
}

/** State that continues from step to step, such as transitions that are not complete yet. */
export interface Interruptible {
  /** Drops what is not complete: the steps to come do not continue earlier ones. */
  interrupt(): void;
}

/** Interrupts every {@link Interruptible} in `part`: its environments begin anew. */
export function interrupt(part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  if (typeof (part as Partial<Interruptible>).interrupt === "function") (part as Interruptible).interrupt();
  else if (isPlain(part)) for (const inner of Object.values(part)) interrupt(inner);
}

/** The parts of a process as one {@link Saved}. */
export function saving(parts: Parts): Saved {
  return {
    save: () => save(parts),
    restore: (from) => {
      restore(parts, from);
    },
  };
}

function copyTensor(t: Tensor): Tensor {
  return tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
}

function restoreArray(target: NumberArray, from: Snapshot, path: string, t?: Tensor): void {
  const source = from instanceof Tensor ? from.data : from;
  if (!isNumberArray(source))
    fail("restore", `${path} is an array, but the checkpoint has ${describe(from)}.`);
  const shape = t ? `shape [${t.shape}]` : `${target.length} entries`;
  if (from instanceof Tensor && t && from.shape.join() !== t.shape.join())
    fail("restore", `${path} has ${shape} here; in the checkpoint it has shape [${from.shape}].`);
  if (source.length !== target.length)
    fail("restore", `${path} has ${shape} here; in the checkpoint it has ${source.length} entries.`);
  target.set(source);
}

function isPlain(x: object): boolean {
  const p = Object.getPrototypeOf(x);
  return p === Object.prototype || p === null;
}

function describe(x: Snapshot): string {
  if (x === null || x === undefined) return "nothing";
  if (Array.isArray(x)) return `a list of ${x.length}`;
  if (isNumberArray(x)) return `an array of ${x.length}`;
  return `a ${typeof x}`;
}
