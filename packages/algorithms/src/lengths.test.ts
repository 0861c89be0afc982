import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("./", import.meta.url));
/** Tables, which grow with the number of algorithms. */
const tables = /^(registry|former-names|tuned-settings\/.*)\.ts$/;

it("every file of an algorithm is read in a few minutes: at most 150 lines", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/\.test\.ts$|(^|\/)testing/.test(file) && !tables.test(file),
  );
  expect(files).toContain("ppo.ts");
  const lengths = files.map((file) => ({
    file,
    lines: readFileSync(join(folder, file), "utf8").split("\n").length - 1,
  }));
  expect(lengths.filter(({ lines }) => lines > 150)).toEqual([]);
});
