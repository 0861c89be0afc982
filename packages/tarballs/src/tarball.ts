import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unpack } from "@publint/pack";
import { type Manifest, type Published, root } from "./workspace.ts";

/** A package as it would be published. */
export interface Tarball {
  /** The file that npm wrote. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
  readonly files: Files;
}

/** The text of every file, by its path in the package. */
export type Files = ReadonlyMap<string, string>;

/** Packs packages into a folder, as `npm publish` would. */
export async function pack(packages: readonly Published[], folder: string): Promise<Tarball[]> {
  // One call for all, since starting npm takes longer than packing.
  const said = execFileSync(
    "npm",
    ["pack", "--json", "--pack-destination", folder, ...packages.flatMap((p) => ["--workspace", p.folder])],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 },
  );
  const packed = JSON.parse(said) as { readonly filename: string }[];
  return Promise.all(packed.map(({ filename }) => open(join(folder, filename))));
}

async function open(file: string): Promise<Tarball> {
  const bytes = new Uint8Array(readFileSync(file));
  const { files, rootDir } = await unpack(bytes.slice().buffer);
  const decoder = new TextDecoder();
  const texts = files.map(
    ({ name, data }) => [name.slice(rootDir.length + 1), decoder.decode(data as Uint8Array)] as const,
  );
  const byPath = new Map(texts);
  return { file, bytes, manifest: JSON.parse(byPath.get("package.json")!) as Manifest, files: byPath };
}
