import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import type { Manifest, Published } from "./workspace.ts";

/**
 * The public address of the source repository, as in `https://github.com/owner/reins`. Empty until
 * publication: manifests then have no repository fields, and links in READMEs stay relative.
 */
export const repository: string = "";

/** A manifest with the fields that point to a repository. */
export function linkedManifest(manifest: Manifest, folder: string, address: string) {
  return {
    ...manifest,
    repository: { type: "git", url: `git+${address}.git`, directory: folder },
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
  };
}

/** The text of a page with absolute links and images. `folder` is the folder of the page from the root. */
export function absoluteLinks(text: string, folder: string, address: string, version: string): string {
  const target = (path: string, kind: "blob" | "raw") =>
    `${address}/${kind}/v${version}/${posix.normalize(posix.join(folder, path))}`;
  return text
    .replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_, path: string) => `](${target(path, "blob")})`)
    .replace(/(!\[[^\]]*\]\([^)\s]*)\/blob\//g, "$1/raw/")
    .replace(/src="(?!https?:)([^"]+)"/g, (_, path: string) => `src="${target(path, "raw")}"`);
}

/** Copies packages to a temporary folder, with repository fields and absolute links. Returns the folder. */
export function stage(packages: readonly Published[], at: string, address: string): string {
  const to = mkdtempSync(join(tmpdir(), "reins-stage-"));
  for (const { folder, manifest } of packages) {
    const filter = (path: string) => !path.includes("node_modules", join(at, folder).length);
    cpSync(join(at, folder), join(to, folder), { recursive: true, filter });
    const readme = readFileSync(join(at, folder, "README.md"), "utf8");
    writeFileSync(join(to, folder, "README.md"), absoluteLinks(readme, folder, address, manifest.version));
    writeFileSync(
      join(to, folder, "package.json"),
      `${JSON.stringify(linkedManifest(manifest, folder, address), null, 2)}\n`,
    );
  }
  return to;
}
