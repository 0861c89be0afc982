import { fail } from "../errors.ts";

/** Element types of files. */
export type FileType = "F32" | "F16" | "BF16" | "I32" | "U32" | "I64" | "U8" | "BOOL";

/** Bytes per element in a file. */
export const fileBytes: Readonly<Record<FileType, number>> = {
  F32: 4,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  I64: 8,
  U8: 1,
  BOOL: 1,
};

/** Location of a tensor in a file. */
export interface Entry {
  readonly name: string;
  readonly dtype: FileType;
  readonly shape: readonly number[];
  /** Offset from the beginning of the file. */
  readonly begin: number;
  readonly end: number;
}

/** The parsed header of a file. */
export interface Header {
  readonly entries: readonly Entry[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** The limit of the format. */
const longestHeader = 100_000_000;

const isWhole = (x: unknown): x is number => typeof x === "number" && Number.isSafeInteger(x) && x >= 0;

/** Bytes of the header, including the 8 of its length; `fileSize` is that of the whole file. */
export function headerBytes(first: Uint8Array, fileSize: number, source: string): number {
  if (first.length < 8)
    fail(
      source,
      `${first.length} bytes are not a safetensors file, which begins with 8 bytes for the length of its header. It may be truncated.`,
    );
  const length = new DataView(first.buffer, first.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(longestHeader))
    fail(
      source,
      `the header's length is ${length}, above the limit of ${longestHeader}. This is not a safetensors file, or it is damaged.`,
    );
  if (Number(length) + 8 > fileSize)
    fail(
      source,
      `the header has ${length} bytes, but the file has only ${fileSize} in all. It is truncated: download it again.`,
    );
  return Number(length) + 8;
}

/** Reads and checks the header in the first `size` bytes. */
export function parseHeader(bytes: Uint8Array, fileSize: number, source: string): Header {
  const size = headerBytes(bytes, fileSize, source);
  let json: unknown;
  try {
    json = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes.subarray(8, size))),
    );
  } catch (error) {
    fail(
      source,
      `the header is not JSON (${(error as Error).message}). This is not a safetensors file, or it is damaged.`,
    );
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    fail(source, "the header is not a JSON object.");
  const { __metadata__: metadata = {}, ...tensors } = json as Record<string, unknown>;
  if (
    typeof metadata !== "object" ||
    metadata === null ||
    Object.values(metadata).some((v) => typeof v !== "string")
  ) {
    fail(source, "the header's __metadata__ must map names to strings.");
  }
  const entries = Object.entries(tensors).map(([name, value]) =>
    entryOf(name, value, size, fileSize, source),
  );
  checkOverlap(entries, size, fileSize, source);
  return { entries, metadata: metadata as Record<string, string> };
}

function entryOf(name: string, value: unknown, base: number, fileSize: number, source: string): Entry {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !Object.hasOwn(fileBytes, dtype)) {
    fail(
      source,
      `tensor "${name}" has the type ${JSON.stringify(dtype)}, which cannot be read. Supported types are ${Object.keys(fileBytes).join(", ")}.`,
    );
  }
  if (!Array.isArray(shape) || !shape.every(isWhole))
    fail(
      source,
      `tensor "${name}" has the shape ${JSON.stringify(shape)}; a shape must be a list of non-negative integers.`,
    );
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isWhole) || offsets[0] > offsets[1]) {
    fail(
      source,
      `tensor "${name}" has the offsets ${JSON.stringify(offsets)}; they must be two ascending integers.`,
    );
  }
  const [begin, end] = [base + offsets[0], base + offsets[1]];
  if (end > fileSize)
    fail(
      source,
      `tensor "${name}" ends at byte ${end}, but the file has ${fileSize}. It is truncated: download it again.`,
    );
  const bytes = shape.reduce((n, d) => n * d, fileBytes[dtype as FileType]);
  if (end - begin !== bytes)
    fail(
      source,
      `tensor "${name}" ${dtype}[${shape.join(", ")}] needs ${bytes} bytes, but its offsets span ${end - begin}.`,
    );
  return { name, dtype: dtype as FileType, shape, begin, end };
}

/** Tensors must be contiguous, as the format requires: hidden bytes could hold anything. */
function checkOverlap(entries: readonly Entry[], base: number, fileSize: number, source: string): void {
  let at = base;
  let last = "";
  for (const e of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (e.begin < at) fail(source, `tensors "${last}" and "${e.name}" overlap.`);
    if (e.begin > at)
      fail(source, `${e.begin - at} bytes before tensor "${e.name}" do not belong to a tensor.`);
    [at, last] = [e.end, e.name];
  }
  if (at !== fileSize) fail(source, `${fileSize - at} bytes at the end do not belong to a tensor.`);
}
