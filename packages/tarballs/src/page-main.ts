import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

/** Builds the studio page if one of its sources is newer. */
const web = join(root, "packages/studio/web");
const built = join(root, "packages/studio/dist/web/index.html");
const others = [
  "studio/src/wire.ts",
  "studio/src/recipe-wire.ts",
  "studio/src/tuning-wire.ts",
  "studio/src/tar.ts",
  "studio/src/run-settings.ts",
  "studio/src/setting-text.ts",
  ...["reins", "algorithms", "core", "envs", "language", "nn", "tensor"].map(
    (name) => `${name}/dist/.tsbuildinfo`,
  ),
];
const parts = [web, ...others.map((path) => join(root, "packages", path))];

const newest = (path: string): number => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

if (!existsSync(built) || Math.max(...parts.map(newest)) > statSync(built).mtimeMs) {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  run("node_modules/typescript/bin/tsc", "-p", web);
  run("node_modules/vite/bin/vite.js", "build", web, "--logLevel", "warn");
}
