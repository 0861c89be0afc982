import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const license = "MIT License\n";

function manifest(name: string, dependencies: object = {}): object {
  return {
    name,
    version: "0.1.0",
    description: "A small package",
    keywords: ["small"],
    license: "MIT",
    type: "module",
    engines: { node: ">=20.19" },
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist", "src"],
    dependencies,
  };
}

function packageFiles(folder: string, content: object, code: string): [string, string][] {
  const name = (content as { readonly name: string }).name;
  const map = JSON.stringify({ version: 3, sources: ["../src/index.ts"], names: [], mappings: "" });
  return [
    [`${folder}/package.json`, `${JSON.stringify(content, null, 2)}\n`],
    [`${folder}/README.md`, `# ${name}\n\nRead [the guide](../../docs/guide.md).\n`],
    [`${folder}/LICENSE`, license],
    [`${folder}/src/index.ts`, code],
    [`${folder}/dist/index.js`, code],
    [`${folder}/dist/index.js.map`, map],
    [`${folder}/dist/index.d.ts`, "export declare const x: number;\n"],
    [`${folder}/dist/index.d.ts.map`, map],
  ];
}

/** A small workspace under Git in a temporary folder: two published packages and a private one. */
export function smallWorkspace(): { readonly at: string; readonly git: (...args: string[]) => string } {
  const at = mkdtempSync(join(tmpdir(), "reins-workspace-"));
  const two = manifest("@reins/two", { "@reins/one": "0.1.0", other: "^1.0.0" });
  const lock = {
    name: "small",
    lockfileVersion: 3,
    packages: { "packages/two": { version: "0.1.0", dependencies: { "@reins/one": "0.1.0" } } },
  };
  const files: [string, string][] = [
    ["package.json", JSON.stringify({ name: "small", private: true, workspaces: ["packages/*"] })],
    ["package-lock.json", JSON.stringify(lock)],
    ["LICENSE", license],
    [".gitignore", "/release/\n"],
    [
      "CHANGELOG.md",
      "# Changelog\n\n## [Unreleased]\n\n- Count to two.\n\n## [0.1.0] - 2026-01-01\n\n- Count.\n",
    ],
    ...packageFiles("packages/one", manifest("@reins/one"), "export const x = 1;\n"),
    ...packageFiles("packages/two", two, 'export { x } from "@reins/one";\n'),
    ["packages/own/package.json", JSON.stringify({ name: "@reins/own", version: "0.1.0", private: true })],
  ];
  for (const [path, text] of files) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  const git = (...args: string[]) =>
    execFileSync("git", [...author, ...args], { cwd: at, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message", "one: add packages");
  return { at, git };
}
