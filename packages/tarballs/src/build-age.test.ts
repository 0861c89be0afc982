import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isOutdated, pagePackages, pageRoot } from "./build-age.ts";

it("a file is outdated when it is missing or an input is newer, in folders too", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-outdated-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [built, source, deep] = ["built", "source", "part/inner/deep"].map((path) => join(folder, path));
  mkdirSync(join(folder, "part/inner"), { recursive: true });
  for (const file of [source, deep]) writeFileSync(file, "");
  const inputs = [source, join(folder, "part")];
  expect(isOutdated(built, inputs)).toBe(true);
  writeFileSync(built, "");
  const now = Date.now() / 1000;
  utimesSync(built, now + 10, now + 10);
  expect(isOutdated(built, inputs)).toBe(false);
  for (const changed of [source, deep]) {
    utimesSync(changed, now + 20, now + 20);
    expect(isOutdated(built, inputs), changed).toBe(true);
    utimesSync(changed, now, now);
  }
});

it("the studio's page is built again when any package changes that it imports", () => {
  const web = join(pageRoot, "src");
  const sources = readdirSync(web, { recursive: true, encoding: "utf8" }).filter((f) => /\.tsx?$/.test(f));
  const specifiers = sources.flatMap((file) =>
    [...readFileSync(join(web, file), "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((m) => m[1]),
  );
  const packages = specifiers.flatMap((from) => {
    const [, scoped, whole, part] = /^(?:@reins\/(\w+)|(reins)(?:\/(\w+))?)/.exec(from) ?? [];
    // reins/tools is part of reins itself.
    return [scoped, whole, part].filter((name) => name !== undefined && name !== "tools");
  });
  expect(packages).toContain("studio");
  expect(packages.filter((name) => !pagePackages.includes(name))).toEqual([]);
});
