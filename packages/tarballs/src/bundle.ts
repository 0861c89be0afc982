import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { type Published, root, type Targets } from "./workspace.ts";

/** Programs that a package starts in processes and threads, in addition to its exports. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "@reins/envs": ["remote/process", "remote/thread", "remote/watchdog"],
  reins: ["main", "start", "tuning/piece-worker"],
};

/**
 * Bundles a package for Node, which starts three times as fast with a few large files as with hundreds of small ones. The bundles are
 * in `dist/packed`, at the depth of most of their sources, so that relative paths to other files stay valid.
 */
export async function bundle({ folder, manifest }: Published): Promise<void> {
  const entryPoints = entriesOf(manifest.name, manifest.exports);
  if (!entryPoints.length) return;
  const at = join(root, folder);
  const outdir = join(at, "dist/packed");
  const { outputFiles } = await build({
    absWorkingDir: at,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "warning",
    write: false,
  });
  mkdirSync(outdir, { recursive: true });
  const written = new Set(outputFiles.map((f) => f.path));
  for (const file of readdirSync(outdir)) if (!written.has(join(outdir, file))) rmSync(join(outdir, file));
  // Cached plans of compiled functions depend on the compiler's files, so these are not rewritten if unchanged.
  for (const { path, text } of outputFiles)
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

/** The bundles for Node from the manifest: the source is the `default` file, the result the `node` file. */
function entriesOf(name: string, exports: Targets = {}): { in: string; out: string }[] {
  const exported = Object.values(exports).flatMap((targets) =>
    typeof targets === "object" && typeof targets.node === "string"
      ? [{ in: `${targets.default}`, out: nameOf(targets.node) }]
      : [],
  );
  const started = (programs[name] ?? []).map((path) => ({ in: `./dist/${path}.js`, out: nameOf(path) }));
  return [...exported, ...started];
}

const nameOf = (path: string) => /([^/]+?)(?:\.js)?$/.exec(path)![1];
