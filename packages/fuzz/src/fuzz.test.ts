import { expect, it } from "vitest";
import { fuzz } from "./fuzz.ts";
import { availableBackends } from "./internals.ts";
import { readOptions } from "./options.ts";

it("60 random programs agree on every back end", async () => {
  const asked = process.env.REINS_TEST_BACKENDS?.split(",");
  const backends = availableBackends().filter((b) => !asked || b === "reference" || asked.includes(b));
  const options = readOptions([
    "--seed",
    "20261101",
    "--programs",
    "60",
    "--shrink",
    "30",
    "--backends",
    backends.join(),
  ]);
  const summary = await fuzz(options, () => {});
  expect(summary.findings.map((f) => f.test).join("\n")).toBe("");
  expect(summary.programs).toBeGreaterThanOrEqual(60);
});
