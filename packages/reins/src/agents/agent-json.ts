import { fail, type Snapshot } from "@reins/core";
import { isNumberArray, type NumberArray, numberArrays } from "@reins/core/snapshots";
import { Tensor, tensor } from "@reins/tensor";

/** JSON text, with strings for NaN and infinities, and typed arrays as lists. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, x) => {
    if (typeof x === "number" && (!Number.isFinite(x) || Object.is(x, -0)))
      return { $number: Object.is(x, -0) ? "-0" : String(x) };
    return isNumberArray(x) ? Array.from(x) : x;
  });
}

/** Parses text written by {@link toJson}. */
export function fromJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text, (_, x) =>
      typeof x === "object" && x !== null && typeof x.$number === "string" ? Number(x.$number) : x,
    );
  } catch (error) {
    return fail(source, `the metadata is not valid JSON (${(error as Error).message}).`);
  }
}

/** Moves arrays and tensors of a snapshot to `into`, under names that begin with `name`; returns the rest, plain data and source text. */
export function packed(value: unknown, name: string, into: Map<string, Tensor>): unknown {
  if (value instanceof Tensor) {
    into.set(name, value);
    return { $tensor: name };
  }
  if (isNumberArray(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
    into.set(name, tensor(bytes));
    return { $array: name, kind: (value as { [Symbol.toStringTag]: string })[Symbol.toStringTag] };
  }
  if (Array.isArray(value)) return value.map((x, i) => packed(x, `${name}.${i}`, into));
  if (typeof value === "function") return { function: String(value) };
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, x]) => [k, packed(x, `${name}.${k}`, into)]));
}

/** Reverses {@link packed}. */
export function unpacked(value: unknown, from: ReadonlyMap<string, Tensor>): Snapshot {
  if (typeof value !== "object" || value === null) return value as Snapshot;
  if (Array.isArray(value)) return value.map((x) => unpacked(x, from));
  const { $tensor, $array, kind } = value as {
    $tensor?: string;
    $array?: string;
    kind?: string;
  };
  const name = $tensor ?? $array;
  if (typeof name === "string") {
    const found = from.get(name) ?? fail("agent", `the array ${name} is missing.`);
    return $array === undefined ? found : arrayOf(found, kind);
  }
  return Object.fromEntries(Object.entries(value).map(([k, x]) => [k, unpacked(x, from)]));
}

function arrayOf({ data }: Tensor, kind = ""): NumberArray {
  if (!Object.hasOwn(numberArrays, kind)) fail("agent", `unknown array kind ${kind}. Install a newer Reins.`);
  const bytes = Uint8Array.from(data);
  return new numberArrays[kind as keyof typeof numberArrays](bytes.buffer as ArrayBuffer);
}
