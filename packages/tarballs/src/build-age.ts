import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

/** The workspace of the studio's page. */
export const pageRoot: string = join(root, "apps/studio");

/** The file that stands for the studio's built page. */
export const builtPage: string = join(root, "packages/studio/dist/web/index.html");

/** The packages that the studio's page imports. */
export const pagePackages: readonly string[] = [
  "algorithms",
  "core",
  "envs",
  "language",
  "nn",
  "recipes",
  "reins",
  "studio",
  "tensor",
];

/** Everything the studio's page is built from: its sources, and for each package the file that changes with every build of it. */
export const pageInputs: readonly string[] = [
  pageRoot,
  ...pagePackages.map((name) => join(root, "packages", name, "dist/.tsbuildinfo")),
];

/** Whether a file is missing or older than one of its inputs. Of a folder, every file in it counts, except installed packages. */
export function isOutdated(file: string, inputs: readonly string[]): boolean {
  return !existsSync(file) || Math.max(...inputs.map(newest)) > statSync(file).mtimeMs;
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== "node_modules");
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(join(path, name))));
}
