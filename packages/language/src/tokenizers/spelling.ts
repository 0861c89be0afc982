import { fail } from "@reins/core";

/** A step of the `decoder` in a tokenizer.json. */
interface Step {
  readonly type: string;
  readonly decoders?: readonly Step[];
  readonly replacement?: string;
  readonly pattern?: { readonly String?: string };
  readonly content?: string;
}

const encoder = new TextEncoder();

/** Gives the bytes of a token from its name in the vocabulary of a tokenizer.json. */
export function spelling(json: object, source: string): (name: string) => Uint8Array {
  const decoder = (json as { decoder?: Step | null }).decoder;
  const steps = decoder?.type === "Sequence" ? (decoder.decoders ?? []) : decoder ? [decoder] : [];
  if (steps.some((s) => s.type === "ByteLevel")) return byteLevel;
  const blank = steps
    .map((s) =>
      s.type === "Metaspace" ? (s.replacement ?? "\u2581") : s.content === " " && s.pattern?.String,
    )
    .find((s) => s);
  if (!blank)
    return fail(
      source,
      `decoder ${decoder?.type ?? "null"} is not supported. Supported decoders: ByteLevel, Metaspace and byte fallback.`,
    );
  const fallback = steps.some((s) => s.type === "ByteFallback");
  return (name) =>
    fallback && /^<0x[0-9A-F]{2}>$/.test(name)
      ? Uint8Array.of(Number.parseInt(name.slice(3, 5), 16))
      : encoder.encode(name.replaceAll(blank, " "));
}

/**
 * Bytes that are named by their own characters; the others are named by characters from U+0100 on, in order (GPT-2).
 */
const visible = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;

const byteOf = new Map<string, number>();
for (let byte = 0, hidden = 0; byte < 256; byte++)
  byteOf.set(String.fromCharCode(visible(byte) ? byte : 0x100 + hidden++), byte);

/** The names of bytes in a byte-level vocabulary. */
export const byteNames: readonly string[] = [...byteOf.keys()];

const byteLevel = (name: string): Uint8Array =>
  Uint8Array.from([...name].flatMap((c) => byteOf.get(c) ?? [...encoder.encode(c)]));
