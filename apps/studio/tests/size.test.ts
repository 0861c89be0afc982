import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { pageFolder } from "../../../packages/studio/dist/assets.js";

/** All files that one file loads, directly or later, except those with a prefix. */
function filesFrom(file: string, without: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || file.startsWith(without) || !existsSync(join(pageFolder, "assets", file)))
    return found;
  found.add(file);
  const text = readFileSync(join(pageFolder, "assets", file), "utf8");
  for (const [name] of text.matchAll(/[\w-]+\.(?:js|css)(?=["'`])/g)) filesFrom(name, without, found);
  return found;
}

const kilobytes = (files: Iterable<string>) =>
  [...files].reduce(
    (n, file) => n + gzipSync(readFileSync(join(pageFolder, "assets", file)), { level: 9 }).length,
    0,
  ) / 1000;

it("all pages without the training page take less than 200 kB, compressed", () => {
  const [entry] = /index-[\w-]+\.js/.exec(readFileSync(join(pageFolder, "index.html"), "utf8"))!;
  const files = filesFrom(entry, "train-");
  // The other pages are included.
  for (const page of ["runs", "run", "compare", "tunings", "recipes"])
    expect(
      [...files].some((file) => file.startsWith(`${page}-`)),
      page,
    ).toBe(true);
  const size = kilobytes(files);
  expect(size).toBeGreaterThan(20);
  expect(size).toBeLessThan(200);
  expect(kilobytes(filesFrom(entry, "nothing"))).toBeGreaterThan(size);
});
