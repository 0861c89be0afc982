import { fail, isNumberArray, type NumberArray, numberArrays, type Snapshot } from "@reins/core";
import { Tensor, tensor } from "@reins/tensor";

/** JSON, with words for the numbers that it lacks, and arrays of numbers as lists. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, x) => {
    if (typeof x === "number" && (!Number.isFinite(x) || Object.is(x, -0)))
      return { $number: Object.is(x, -0) ? "-0" : String(x) };
    return isNumberArray(x) ? Array.from(x) : x;
  });
}

/** The value that {@link toJson} was given. */
export function fromJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text, (_, x) =>
      typeof x === "object" && x !== null && typeof x.$number === "string" ? Number(x.$number) : x,
    );
  } catch (error) {
    return fail(source, `what it says of itself is no JSON (${(error as Error).message}).`);
  }
}

/** Arrays and tensors of a snapshot go into `into`, under names that begin with `name`; what is left is plain data, and the text of code. */
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

/** What {@link packed} took apart. */
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
  if (!Object.hasOwn(numberArrays, kind))
    fail("agent", `it has an array of kind ${kind}, which there is not.`);
  const bytes = Uint8Array.from(data);
  return new numberArrays[kind as keyof typeof numberArrays](bytes.buffer as ArrayBuffer);
}
