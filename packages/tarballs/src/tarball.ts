import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { unpack } from "@publint/pack";
import { repository, stage } from "./publication.ts";
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

/** Where packages are packed from. */
export interface PackOptions {
  /** The root of the workspace. */
  readonly at?: string;
  /** The address that links and manifest fields get; see {@link repository}. */
  readonly address?: string;
}

/** Packs packages into a folder, as `npm publish` would. */
export async function pack(
  packages: readonly Published[],
  folder: string,
  { at = root, address = repository }: PackOptions = {},
): Promise<Tarball[]> {
  const staged = address === "" ? undefined : stage(packages, at, address);
  try {
    const chosen = staged
      ? packages.map((p) => join(staged, p.folder))
      : packages.flatMap((p) => ["--workspace", p.folder]);
    // One call for all, since starting npm takes longer than packing.
    const output = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, ...chosen], {
      cwd: at,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    });
    const packed = JSON.parse(output) as { readonly filename: string }[];
    return await Promise.all(packed.map(({ filename }) => open(join(folder, filename))));
  } finally {
    if (staged) rmSync(staged, { recursive: true, force: true });
  }
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
