import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

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
  join(root, "packages/studio/web"),
  ...pagePackages.map((name) => join(root, "packages", name, "dist/.tsbuildinfo")),
];

/** Whether a file is missing or older than one of its inputs. Of a folder, every file in it counts. */
export function isOutdated(file: string, inputs: readonly string[]): boolean {
  return !existsSync(file) || Math.max(...inputs.map(newest)) > statSync(file).mtimeMs;
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
