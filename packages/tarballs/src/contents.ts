import { builtinModules } from "node:module";
import { posix } from "node:path";
import { importsOf, packageOf } from "./imports.ts";
import type { Files } from "./tarball.ts";
import type { Manifest, Targets } from "./workspace.ts";

/** Findings about a package, in sentences; empty if it is valid. `license` is the required text. */
export function findingsIn(manifest: Manifest, files: Files, license: string): string[] {
  return [
    ...manifestFindings(manifest),
    ...besides(manifest, files, license),
    ...stray(files),
    ...incomplete(files),
    ...dangling(manifest, files),
    ...unresolved(manifest, files),
  ];
}

/** Fields that a registry shows and a package manager reads. */
function manifestFindings(manifest: Manifest): string[] {
  const { name, version, license, type, engines, description, keywords } = manifest;
  const out: string[] = [];
  if (!description) out.push("package.json has no description.");
  if (!keywords?.length) out.push("package.json has no keywords.");
  if (license !== "MIT") out.push(`package.json names the licence ${license}.`);
  if (type !== "module") out.push('package.json does not set "type": "module".');
  if (!engines?.node) out.push("package.json does not set engines.node.");
  const all = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  for (const [dependency, range] of Object.entries(all)) {
    // All packages of the workspace are published together, under one version.
    const ours = dependency === "reins" || dependency.startsWith("@reins/");
    if (ours && range !== version)
      out.push(`it is ${name} ${version}, but needs ${dependency} ${range}, not ${version}.`);
    if (!ours && !/^[\^~]?\d+\.\d+\.\d+$/.test(range))
      out.push(`${dependency}: "${range}" is not a range of published versions.`);
  }
  return out;
}

/** README and LICENSE. */
function besides(manifest: Manifest, files: Files, license: string): string[] {
  const out: string[] = [];
  const readme = files.get("README.md");
  if (!readme) out.push("README.md is missing.");
  else if (!readme.startsWith(`# ${manifest.name}\n`))
    out.push(`README.md does not begin with "# ${manifest.name}".`);
  if (files.get("LICENSE") !== license) out.push("LICENSE is missing, or is not that of the workspace.");
  return out;
}

const top = new Set(["package.json", "README.md", "LICENSE"]);

/** Whether a file belongs to a page that Vite built. */
const isPage = (path: string) => /^dist\/web\/([\w-]+\/)*[\w.-]+\.(html|js|css|svg|wasm)$/.test(path);

/** Superfluous files. Tests are named `….test`, or in `width`; their helpers are named `testing…`, or in a folder of that name. */
function stray(files: Files): string[] {
  const out: string[] = [];
  for (const path of files.keys()) {
    if (top.has(path)) continue;
    if (/(^|\/)(testing|width\/)|\.test\./.test(path)) out.push(`${path} is for tests.`);
    else if (/^dist\/packed\/[\w-]+\.js(\.map)?$/.test(path) || isPage(path)) continue;
    else if (/^dist\/.+(\.js|\.d\.ts)(\.map)?$/.test(path)) {
      const source = path.replace(/^dist/, "src").replace(/(\.js|\.d\.ts)(\.map)?$/, ".ts");
      if (!files.has(source)) out.push(`${path} has no source: it is left from an earlier build.`);
    } else if (!/^src\/.+\.ts$|^bin\/.+\.js$|^python\/\w+\.py$|^dist\/diagnostics\/[\w-]+\.md$/.test(path))
      out.push(`${path} does not belong in a package.`);
  }
  return out;
}

/** Sources without builds, and maps with missing targets. */
function incomplete(files: Files): string[] {
  const out: string[] = [];
  for (const path of files.keys()) {
    if (!path.startsWith("src/")) continue;
    const built = path.replace(/^src/, "dist").replace(/\.ts$/, "");
    for (const end of [".js", ".js.map", ".d.ts", ".d.ts.map"])
      if (!files.has(built + end)) out.push(`${built}${end} is missing. Build first.`);
  }
  for (const [path, text] of files) {
    if (!path.endsWith(".map")) continue;
    for (const source of (JSON.parse(text) as { readonly sources: readonly string[] }).sources) {
      const file = posix.join(posix.dirname(path), source);
      if (!files.has(file)) out.push(`${path} points to ${file}, which is not packed.`);
    }
  }
  return out;
}

/** Targets of the manifest that are not packed. */
function dangling({ exports = {}, imports = {}, bin = {} }: Manifest, files: Files): string[] {
  const targets = Object.entries({ exports, imports, bin }).flatMap(([field, t]) =>
    leaves(t).map((file) => [field, file] as const),
  );
  return targets
    .filter(([, file]) => !files.has(posix.normalize(file)))
    .map(([field, file]) => `${field} of package.json points to ${file}, which is not packed.`);
}

function leaves(targets: Targets): string[] {
  return typeof targets === "string" ? [targets] : Object.values(targets).flatMap(leaves);
}

/** Imports of files that are not packed, and of undeclared packages. */
function unresolved(manifest: Manifest, files: Files): string[] {
  const known = new Set([
    manifest.name,
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  const found = (from: string, specifier: string) => {
    if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return true;
    if (specifier.startsWith("#")) return specifier in (manifest.imports ?? {});
    if (!specifier.startsWith(".")) return known.has(packageOf(specifier));
    const file = posix.join(posix.dirname(from), specifier);
    // Declarations name their sources; compilers look for the declarations of those.
    return files.has(from.endsWith(".d.ts") ? file.replace(/\.ts$/, ".d.ts") : file);
  };
  const out: string[] = [];
  for (const [path, text] of files) {
    // Vite has resolved the imports of a page.
    if (!/\.(js|ts)$/.test(path) || isPage(path)) continue;
    for (const specifier of importsOf(text))
      if (!found(path, specifier))
        out.push(`${path} imports ${specifier}, which is missing after installation.`);
  }
  return out;
}
