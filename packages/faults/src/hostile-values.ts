import { join } from "node:path";
import type { Random } from "./random.ts";

/** Code that must never be imported: it records that it was. */
export const codeFor = (imported: string) =>
  `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(imported)}, "imported\\n");\n`;

/** Escape sequences and direction overrides, in C0 and in C1. */
const escapes = [
  "\u001b]0;title\u0007",
  "\u001b[2J\u001b[H",
  "\u009b31m",
  "\rover",
  "\u202egpj",
  "\u0000",
  "\u007f",
];
const numbers = [-1, 0, 0.5, 1e15, 1e308, 2 ** 53, -(2 ** 31), { $number: "NaN" }, { $number: "-Infinity" }];

/** Lists within lists, deeper than a stack. */
const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** JSON of an unexpected value. `folder` holds code. */
export function strangeJson(random: Random, folder: string): string {
  const text = () =>
    random.of(escapes) + random.of(["name", "", "../../..", "x".repeat(random.of([1, 5000]))]);
  const kind = random.below(9);
  if (kind === 0) return JSON.stringify(random.of(numbers));
  if (kind === 1) return JSON.stringify(random.of([null, true, [], {}, "", [[]], { a: { b: [null] } }]));
  if (kind === 2) return JSON.stringify(text());
  if (kind === 3) return deep(random.of([10, 1000, 200_000]));
  if (kind === 4)
    return `{"__proto__":{"polluted":${random.below(9)}},"constructor":{"prototype":{"polluted":1}}}`;
  if (kind === 5)
    return JSON.stringify(random.of([join(folder, "evil.mjs"), "./evil.mjs", "../canary/evil.mjs"]));
  if (kind === 6)
    return JSON.stringify(random.of(["gymnasium:evil:X-v0", "pettingzoo:evil", "gymnasium:evil:"]));
  if (kind === 7)
    return JSON.stringify(random.of(["..", "../canary", "../canary/file", "a/../../b", "\\\\x\\y"]));
  return JSON.stringify({
    $tensor: text(),
    $array: "x",
    function: "() => 1",
    signal: text(),
    of: random.of(numbers),
  });
}

/** Bytes that are not a valid file of a run. */
export function strangeBytes(random: Random, before: Buffer): Buffer {
  const kind = random.below(6);
  if (kind === 0) return before.subarray(0, random.below(before.length + 1));
  if (kind === 1) return Buffer.from("x".repeat(random.of([1, 1000, 20_000_000])));
  if (kind === 2) return Buffer.from(deep(200_000));
  if (kind === 3) {
    // The length of a safetensors header, and of an event.
    const bytes = Buffer.from(before.length >= 8 ? before : Buffer.alloc(16));
    bytes.writeBigUInt64LE(
      BigInt(random.of(["18446744073709551615", "9007199254740993", "4294967296", "0"])),
      0,
    );
    return bytes;
  }
  const bytes = Buffer.from(before);
  for (let i = 0; i < 5 && bytes.length > 0; i++) bytes[random.below(bytes.length)] = random.below(256);
  return kind === 4 ? bytes : Buffer.concat([bytes, Buffer.from(random.of(escapes)), bytes]);
}
