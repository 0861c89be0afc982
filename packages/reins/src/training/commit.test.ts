import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../cli/testing.ts";
import { commitAround } from "./commit.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";
const repository = (head: string, files: Record<string, string> = {}) => {
  const at = folder();
  mkdirSync(join(at, ".git", "refs", "heads"), { recursive: true });
  mkdirSync(join(at, "inner"));
  writeFileSync(join(at, ".git", "HEAD"), head);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, ".git", name), text);
  return join(at, "inner");
};

it("finds the commit in each form that Git stores", () => {
  expect(commitAround(repository(`${commit}\n`))).toBe(commit);
  expect(commitAround(repository("ref: refs/heads/main\n", { "refs/heads/main": `${commit}\n` }))).toBe(
    commit,
  );
  const packed = { "packed-refs": `# pack-refs\n${commit} refs/heads/main\n` };
  expect(commitAround(repository("ref: refs/heads/main\n", packed))).toBe(commit);
});

it("finds no commit outside a repository or in damaged files", () => {
  expect(commitAround(repository("ref: refs/heads/new\n", { "packed-refs": "" }))).toBeUndefined();
  expect(commitAround(repository("ref: ../../../etc/passwd\n"))).toBeUndefined();
  expect(commitAround(folder())).toBeUndefined();
});
