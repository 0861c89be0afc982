import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folder } from "./cli/testing.ts";
import { type DocProgram, pages, programsOf } from "./testing-docs.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = existsSync(new URL("../dist/index.d.ts", import.meta.url));

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2022", "dom"],
  types: ["node"],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** A program as a module with the line numbers of its page. */
const moduleOf = ({ line, code }: DocProgram) => `${"\n".repeat(line - 1)}${code}\nexport {};\n`;

/** The first program of a page as a file that later programs import from: it exports its classes. */
function firstAsFile(page: string): string {
  const { code } = programsOf(page)[0];
  const classes = [...code.matchAll(/^class (\w+)/gm)].map((match) => match[1]);
  return `${code}\nexport { ${classes.join(", ")} };\n`;
}

/** Writes the programs of a page to a folder, with the files that they import. */
function writePage(page: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const program of programsOf(page)) {
    writeFileSync(join(to, `line-${program.line}.ts`), moduleOf(program));
    for (const [, file] of program.code.matchAll(/from "\.\/([\w-]+\.ts)"/g))
      writeFileSync(join(to, file), firstAsFile(page));
  }
}

/** Errors of the compiler for the programs in a folder. */
function typeErrors(project: string): string {
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", "."], { cwd: project, encoding: "utf8" }).stdout;
}

it.skipIf(!built)("every program in the documentation passes the type checker", () => {
  const project = folder();
  for (const page of pages) writePage(page, join(project, dirname(page), page.replace(/\W/g, "-")));
  expect(typeErrors(project)).toBe("");
});

it.skipIf(!built)("a program with a wrong type fails, at its line in the page", () => {
  const project = folder();
  const code = 'import { ppo } from "reins";\nppo({ clip: "wide" });\n';
  writeFileSync(join(project, "line-12.ts"), moduleOf({ page: "", line: 12, code }));
  expect(typeErrors(project)).toContain("line-12.ts(13,");
});
