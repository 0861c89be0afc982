import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./workspace.ts";

const dependencyFields = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/** Manifests of all packages, from the root: published, private, applications, and the recipe book. */
export function manifestFiles(at: string): string[] {
  const inside = (group: string) =>
    existsSync(join(at, group)) ? readdirSync(join(at, group)).map((name) => `${group}/${name}`) : [];
  const folders = [...inside("packages"), ...inside("apps"), "recipes"];
  return folders.map((folder) => `${folder}/package.json`).filter((file) => existsSync(join(at, file)));
}

/** A manifest with another version, also of the packages of the workspace that it depends on. */
export function withVersion<T extends Partial<Manifest>>(
  manifest: T,
  names: ReadonlySet<string>,
  version: string,
): T {
  const changed: Record<string, unknown> = { ...manifest, version };
  for (const field of dependencyFields) {
    const ranges = manifest[field];
    if (!ranges) continue;
    changed[field] = Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [name, names.has(name) ? version : range]),
    );
  }
  return changed as T;
}

/** Sets the version of all packages and of their entries in the lock file. Returns the files that changed. */
export function setVersions(at: string, version: string): string[] {
  const files = manifestFiles(at);
  const manifests = files.map((file) => JSON.parse(readFileSync(join(at, file), "utf8")) as Manifest);
  const names = new Set(manifests.map(({ name }) => name));
  const write = (file: string, value: object) =>
    writeFileSync(join(at, file), `${JSON.stringify(value, null, 2)}\n`);
  for (const [i, file] of files.entries()) write(file, withVersion(manifests[i], names, version));
  const lock = "package-lock.json";
  if (!existsSync(join(at, lock))) return files;
  const content = JSON.parse(readFileSync(join(at, lock), "utf8")) as {
    readonly packages: { readonly [path: string]: Partial<Manifest> };
  };
  const folders = new Set(files.map((file) => file.slice(0, -"/package.json".length)));
  const packages = Object.entries(content.packages).map(([path, entry]) => [
    path,
    folders.has(path) ? withVersion(entry, names, version) : entry,
  ]);
  write(lock, { ...content, packages: Object.fromEntries(packages) });
  return [...files, lock];
}

/** Compares two versions by their numbers: below 0 if the first is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (const i of [0, 1, 2]) if (left[i] !== right[i]) return left[i] - right[i];
  return 0;
}
