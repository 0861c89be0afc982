import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files outside of a run, with names like those of a run, which must not change. */
export function writeCanary(folder: string): void {
  for (const name of ["episodes", "checkpoints", "checkpoints/12345", "checkpoints/64"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of [
    ...["1.json", "2.json", "7.json", "7.safetensors"].map((file) => `episodes/${file}`),
    ...["12345", "64"].flatMap((at) => [
      `checkpoints/${at}/state.json`,
      `checkpoints/${at}/state.safetensors`,
    ]),
    ...["config.json", "summary.json", "metrics.jsonl", "times.jsonl", "last.agent", "lock", "file"],
  ])
    writeFileSync(join(folder, name), `{"mine":${JSON.stringify(name)}}\n`);
}

/** The kind and the digest of everything below a folder, by path. */
export function digestsOf(folder: string, skip: readonly string[] = []): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    if (skip.includes(name)) continue;
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory())
      for (const [below, digest] of digestsOf(path)) found.set(join(name, below), digest);
    found.set(name, stat.isFile() ? digestOf(path) : stat.isSymbolicLink() ? readlinkSync(path) : "no file");
  }
  return found;
}

const digestOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** The differences between two states of a folder: paths that were created, changed or deleted. */
export const changesBetween = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((path) =>
    before.get(path) === after.get(path)
      ? []
      : [`${path} was ${!after.has(path) ? "deleted" : before.has(path) ? "changed" : "created"}`],
  );
