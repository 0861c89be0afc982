import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The fields of `package.json` that are used here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly private?: boolean;
  readonly type?: string;
  readonly engines?: { readonly node?: string };
  readonly exports?: Targets;
  readonly imports?: Readonly<Record<string, Targets>>;
  readonly bin?: Targets;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

/** A file, or files by condition or subpath. */
export type Targets = string | { readonly [condition: string]: Targets };
type Versions = Readonly<Record<string, string>>;

/** The root of the workspace, with a trailing slash. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A published package: its folder from the root, and its manifest. */
export interface Published {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All published packages: those in `packages` that are not private. */
export function published(at = root): Published[] {
  return readdirSync(join(at, "packages"))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(at, folder, "package.json")))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(at, folder, "package.json"), "utf8")) as Manifest,
    }))
    .filter(({ manifest }) => !manifest.private);
}
